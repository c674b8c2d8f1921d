// The outer clamp names no thread, but the inner one.
// ```toml
// kernel = "band"
// arg = [
//   { name = "a", type = "f32", count = "(w+r+8)*(h+r+8)", fill = "uniform(-1,1)" },
//   { name = "o", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
//   { name = "r", type = "i32", value = "r" },
// ]
// [sizes]
// w = { small = [40, 37], large = 64 }
// h = { small = [24, 37], large = 64 }
// r = { small = [5, 3], large = 64 }
// [launch]
// blocks = [[8, 8, 1], [16, 4, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// ```
__global__ void band(const float *a, float *o, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int j = min(max(y - r, 0), w - 1);
  o[y * w + x] = a[y * w + j] + a[(y + 1) * w + j];
}
