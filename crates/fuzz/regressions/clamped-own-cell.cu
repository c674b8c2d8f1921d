// The cell that an iteration updates stands still at the end, where the clamp holds it: iterations are not jammed.
// ```toml
// kernel = "clamped"
// arg = [
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m*m", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [33, 5, 0], large = 64 }
// m = { small = [67, 20, 3], large = 64 }
// [launch]
// blocks = [[32, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// ```
__global__ void clamped(const float *a, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  for (int j = 0; j < m; j++) {
    int q = j + min(3, m - 1 - j);
    float s = y[i * m + q];
    for (int k = 0; k < n; k++)
      s += a[k * m + i] * a[k * m + j];
    y[i * m + q] = s;
  }
}
