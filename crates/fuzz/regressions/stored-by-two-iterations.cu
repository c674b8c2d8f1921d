// Each iteration stores over what the one before it stored last: what is written back of a strip would overlap with itself and the next one.
// ```toml
// kernel = "both"
// arg = [
//   { name = "a", type = "f32", count = "n*m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n*(m+1)", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [100, 37, 1], large = 64 }
// m = { small = [50, 33, 7], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void both(const float *a, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < m; k++) {
    y[i * (m + 1) + k] = a[k * n + i];
    y[i * (m + 1) + k + 1] = -a[k * n + i];
  }
}
