// Windows over field 0 of records; field 1 of the one before is stored meanwhile, but thread 0 stores to what it reads again.
// ```toml
// kernel = "fieldwin"
// arg = [
//   { name = "x", type = "f32", count = "4*(n+m)", fill = "uniform(-1,1)", output = true },
//   { name = "w", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "q", type = "i32", value = "q" },
// ]
// [sizes]
// n = { small = [1000, 370, 100], large = 100000 }
// m = { small = [50, 33, 64], large = 64 }
// q = { small = [2, 3, 4], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1], [256, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void fieldwin(float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n, int m, int q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int j = 0; j < q; j++) {
    for (int k = 0; k < m; k++)
      s += x[4 * (i + k)] * w[k];
    x[max(4 * i - 3, 0)] = s;
  }
  y[i] = s;
}
