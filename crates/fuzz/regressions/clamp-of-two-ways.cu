// `c - i` is a clamp of `i` less `i`: its two parts do not move apart, so their box is larger than what is read.
// ```toml
// kernel = "centred"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "3*m+1", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [100, 40], large = 64 }
// m = { small = [8, 5], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void centred(const float *__restrict__ x, const float *__restrict__ w, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  int c = max(i, m);
  for (int k = 0; k <= m; k++)
    s += x[min(c + k, n - 1)] * w[min(c - i, m) + k];
  y[i] = s;
}
