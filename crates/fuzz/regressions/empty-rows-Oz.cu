// Sums of rows that may be empty, in a loop that is tested at its beginning (-Oz).
// ```toml
// kernel = "zrow"
// arg = [
//   { name = "a", type = "f32", count = "n*m", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [100, 37, 64], large = 64 }
// m = { small = [0, 33, 1], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void zrow(const float *__restrict__ a, float *__restrict__ c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int k = 0; k < m; k++)
    s += a[i * m + k];
  c[i] = s;
}
