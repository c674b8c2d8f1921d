// A window that begins at a clamped multiple of a run-time step, up to a limit.
// ```toml
// kernel = "win"
// arg = [
//   { name = "x", type = "f32", count = "n+m", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "s", type = "i32", value = "s" },
//   { name = "r", type = "i32", value = "r" },
//   { name = "t", type = "i32", value = "t" },
// ]
// [sizes]
// n = { small = [1000, 370, 100], large = 100000 }
// m = { small = [50, 33, 64], large = 64 }
// s = { small = [2, 1, 3], large = 2 }
// r = { small = [9, 5, 30], large = 9 }
// t = { small = [600, 200, 40], large = 60000 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1], [256, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void win(const float *__restrict__ x, const float *__restrict__ w, float *y, int n, int m, int s, int r, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = 0;
  int c = max(i * s - r, 0);
  for (int k = 0; k < m; k++)
    if (c + k < t)
      v += x[i + k] * w[k];
  y[i] = v;
}
