// A strip of 8 has no element twice, one of 16 has: `w` apart, written by one iteration and by a later one.
// ```toml
// kernel = "thrice"
// arg = [
//   { name = "x", type = "f32", count = "(n+1)*s", fill = "uniform(-1,1)", output = true },
//   { name = "a", type = "f32", count = "n*m", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "w", type = "i32", value = "w" },
//   { name = "s", type = "i32", value = "s" },
// ]
// [sizes]
// n = { small = [100, 37], large = 64 }
// m = { small = [70, 33], large = 64 }
// w = { small = [10, 9], large = 64 }
// s = { small = [101, 54], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1], [256, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void thrice(float *__restrict__ x, const float *__restrict__ a, int n, int m, int w, int s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < m; k++) {
    float v = a[i * m + k];
    x[i * s + k] = v;
    x[i * s + k + w] = -v;
    x[i * s + k + 2 * w] = v * v;
  }
}
