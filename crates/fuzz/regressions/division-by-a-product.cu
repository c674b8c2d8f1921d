// Exact division by three, as a product that wraps.
// ```toml
// kernel = "sat"
// arg = [
//   { name = "a", type = "f32", count = "n+m+n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "s", type = "i32", value = "3*n" },
// ]
// [sizes]
// n = { small = [100, 37], large = 64 }
// m = { small = [50, 33], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void sat(const float *__restrict__ a, float *y, int n, int m, unsigned s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  size_t j = ((size_t)i * 3 + s) * 0xAAAAAAAAAAAAAAABull;
  float t = 0;
  for (int k = 0; k < m; k++)
    t += a[j + k];
  y[i] = t;
}
