// A loop of `r + q` iterations where `r` bounds `q`: never as many as both at their longest.
// ```toml
// kernel = "triangle"
// arg = [
//   { name = "x", type = "f32", count = "n*w", fill = "uniform(-1,1)", output = true },
//   { name = "a", type = "f32", count = "200", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "w", type = "i32", value = "w" },
// ]
// [sizes]
// n = { small = [20], large = 64 }
// w = { small = [100], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void triangle(float *__restrict__ x, const float *a, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int r = 1; r < 20; r++)
    for (int q = 1; q <= 20 - r; q++)
      for (int k = 0; k < r + q; k++)
        x[i * w + k] = a[r] + k;
}
