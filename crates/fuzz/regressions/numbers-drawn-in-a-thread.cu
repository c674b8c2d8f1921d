// Random subsets: a thread draws eight numbers of its own and takes a weight for each that is small.
// ```toml
// kernel = "draws"
// arg = [
//   { name = "w", type = "f32", count = "8", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "seed", type = "i32", value = "n" },
//   { name = "t", type = "i32", value = "1000000000" },
// ]
// [sizes]
// n = { small = [100, 37], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void draws(const float *w, float *y, int n, unsigned seed, unsigned t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned r = seed + i;
  float s = 0;
  for (int k = 0; k < 8; k++) {
    r = r * 2654435761u + 1;
    if (r < t)
      s += w[k];
  }
  y[i] = s;
}
