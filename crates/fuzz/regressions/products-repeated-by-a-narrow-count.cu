// A matrix product in a loop of as many steps as a byte says, and a byte may say 130.
// ```toml
// kernel = "steps"
// arg = [
//   { name = "a", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "q", type = "u8", value = "q" },
// ]
// [sizes]
// n = { small = [20, 17], large = 4096 }
// q = { small = [130, 3], large = 64 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// ```
__global__ void steps(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ y, int n, unsigned char q) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n)
    return;
  float s = 0;
  for (int r = 0; r < q; r++) {
    float t = 0;
    for (int k = 0; k < n; k++)
      t += (a[row * n + k] - s) * b[k * n + col];
    s = t;
  }
  y[row * n + col] = s;
}
