// A bound on `r`, which the length of `q` follows, and that of `k` that of `q`.
// ```toml
// kernel = "stairs"
// arg = [
//   { name = "x", type = "f32", count = "n*w", fill = "uniform(-1,1)", output = true },
//   { name = "a", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "t", type = "i32", value = "t" },
//   { name = "w", type = "i32", value = "w" },
// ]
// [sizes]
// n = { small = [40, 20], large = 64 }
// m = { small = [20, 24], large = 64 }
// t = { small = [3, 4], large = 64 }
// w = { small = [100, 90], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void stairs(float *__restrict__ x, const float *__restrict__ a, int n, int m, int t, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int r = 0; r < m; r++)
    if (r < t)
      for (int q = 0; q <= r; q++)
        for (int k = 0; k <= q; k++)
          x[i * w + k] = a[r] * q;
}
