// The same with loads, downwards.
// ```toml
// kernel = "both"
// arg = [
//   { name = "y", type = "f32", count = "n*(m+2)", fill = "uniform(-1,1)", output = true },
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
__global__ void both(float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = m - 1; k >= 0; k--) {
    float v = y[i * (m + 2) + k + 1];
    y[i * (m + 2) + k] = v * 0.5f + y[i * (m + 2) + k];
    y[i * (m + 2) + k + 2] += v;
  }
}
