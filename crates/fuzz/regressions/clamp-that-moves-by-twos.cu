// Even columns from 0 on, up to an odd last one that is not there.
// ```toml
// kernel = "even"
// arg = [
//   { name = "a", type = "f32", count = "(m-1)*n+n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "t", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "r", type = "i32", value = "r" },
//   { name = "t", type = "i32", value = "t" },
// ]
// [sizes]
// n = { small = [101, 37, 63], large = 65 }
// m = { small = [50, 33, 7], large = 64 }
// r = { small = [4, 6, 20], large = 64 }
// t = { small = [64, 33, 90], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(t + bx - 1) / bx", "1", "1"]
// ```
__global__ void even(const float *__restrict__ a, float *y, int n, int m, int r, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= t)
    return;
  float s = 0;
  int c = max(2 * i - r, 0);
  if (c <= n)
    for (int k = 0; k < m; k++)
      s += a[k * n + c] * (k + 1);
  y[i] = s;
}
