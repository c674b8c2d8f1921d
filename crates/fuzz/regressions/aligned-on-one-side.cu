// Only one side of the branch promises that numbers of 8 bytes are aligned to as many.
// ```toml
// kernel = "either"
// arg = [
//   { name = "b", type = "f32", count = "m*2+2", fill = "uniform(-1,1)" },
//   { name = "y", type = "f64", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "o", type = "i32", value = "o" },
// ]
// [sizes]
// n = { small = [100, 37, 1], large = 64 }
// m = { small = [50, 33, 7], large = 64 }
// o = { small = [0, 1, 1], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// ```
struct __attribute__((packed, aligned(4))) Packed {
  double d;
};
__global__ void either(const float *b, double *y, int n, int m, int o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const char *a = (const char *)(b + o);
  double s = 0;
  for (int k = 0; k < m; k++) {
    if (o == 0)
      s += 2 * ((const double *)a)[k];
    else
      s -= ((const Packed *)a)[k].d * 3;
  }
  y[i] = s;
}
