// Rows up to a number drawn at random, the same for all threads: drawn three times in 64 bits.
// ```toml
// kernel = "upto"
// arg = [
//   { name = "a", type = "f32", count = "n*m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "seed", type = "i32", value = "seed" },
// ]
// [sizes]
// n = { small = [100, 37, 100, 37, 100], large = 64 }
// m = { small = [64, 37, 33, 50, 64], large = 64 }
// seed = { small = [0, 1, 2, 3, 4], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void upto(const float *a, float *y, int n, int m, unsigned seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  unsigned long long r = seed;
  for (int d = 0; d < 3; d++) {
    r = r * 6364136223846793005ULL + 1442695040888963407ULL;
    if (i < (long long)r)
      for (int k = 0; k < m; k++)
        s += a[i * m + k] * (d + 1);
  }
  y[i] = s;
}
