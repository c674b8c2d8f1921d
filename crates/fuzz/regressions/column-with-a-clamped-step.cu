// What the next replica reads in this iteration is not what this one reads in the next: the clamp has moved.
// ```toml
// kernel = "slanted"
// arg = [
//   { name = "a", type = "f32", count = "(w+r+8)*(h+r+8)", fill = "uniform(-1,1)" },
//   { name = "o", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
//   { name = "r", type = "i32", value = "r" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// w = { small = [40, 37], large = 64 }
// h = { small = [24, 37], large = 64 }
// r = { small = [5, 9], large = 64 }
// m = { small = [2, 3], large = 64 }
// [launch]
// blocks = [[8, 8, 1], [16, 4, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// ```
__global__ void slanted(const float *a, float *o, int w, int h, int r, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float s = 0;
  for (int k = 0; k < r; k++)
    s += a[(y + k) * w + x + min(k, m)];
  o[y * w + x] = s;
}
