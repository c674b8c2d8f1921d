// What is stored in an inner loop may not lie where that loop reads.
// ```toml
// kernel = "again"
// arg = [
//   { name = "a", type = "f32", count = "n*m", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "n*m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n*m", fill = "uniform(-1,1)", output = true },
//   { name = "z", type = "f32", count = "n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "r", type = "i32", value = "r" },
// ]
// [sizes]
// n = { small = [100, 37, 1], large = 64 }
// m = { small = [50, 33, 7], large = 64 }
// r = { small = [3, 2, 1], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void again(const float *a, const float *b, float *y, float *z, int n, int m, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int j = 0; j < m; j++) {
    float t = 0;
    for (int q = 0; q < r; q++) {
      t += a[i * m + j] * (q + 1);
      y[i * m + j] = t;
    }
    s += b[i * m + j];
  }
  z[i] = s;
}
