// Where the branch is not taken, what is stored is what the iteration before has left.
// ```toml
// kernel = "kept"
// arg = [
//   { name = "a", type = "f32", count = "m*n+m", fill = "uniform(-1,1)" },
//   { name = "x", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m*m", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [33, 5, 17], large = 64 }
// m = { small = [67, 20, 36], large = 64 }
// [launch]
// blocks = [[32, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// ```
__global__ void kept(const float *a, const float *x, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  float p = x[i];
  for (int j = 0; j < m; j++) {
    float s = 0;
    if (n > 5) {
      for (int k = 0; k < n; k++)
        s += a[k * m + i] * a[k * m + j];
      p = s;
    }
    y[i * m + j] = p + x[j];
  }
}
