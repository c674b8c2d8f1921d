// The second field of a record of three, at an index that wraps: the first one of the next record but one.
// ```toml
// kernel = "wraps"
// arg = [
//   { name = "p", type = "f32", count = "n*m*3+3", fill = "uniform(-1,1)", output = true },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "u32", value = "n" },
//   { name = "m", type = "u32", value = "m" },
//   { name = "off", type = "u32", value = "off" },
// ]
// [sizes]
// n = { small = [70, 37, 1], large = 64 }
// m = { small = [80, 66, 64], large = 64 }
// off = { small = [1431655766, 0, 1431655766], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
__global__ void wraps(float *p, float *y, unsigned n, unsigned m, unsigned off) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float t = 0;
  for (unsigned k = 0; k < m / 2; k++) {
    t += p[3 * (i * m + k)];
    p[3 * (i * m + 2 * k) + 3 * off + 1] = t * 0.5f;
  }
  y[i] = t;
}
