// Two-dimensional convolution with a run-time window and edge clamping.
// ```toml
// kernel = "conv2d_clamp"
// arg = [
//   { name = "img", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "mask", type = "f32", count = "(2*r+1)*(2*r+1)", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
//   { name = "r", type = "i32", value = "r" },
// ]
// [sizes]
// w = { small = [50, 33, 2, 1, 150], large = 4096 }
// h = { small = [23, 16, 3, 0, 40], large = 4096 }
// r = { small = [2, 3, 1, 0, 2], large = 8 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// img = "staged"
// mask = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "8*w*h"
// flops = "2*w*h*(2*r + 1)*(2*r + 1)"
// rows = [
//   { class = "large", blocks = [[16, 16, 1], [32, 8, 1]] },
//   { class = "large", at = { r = 1 }, blocks = [[16, 16, 1], [8, 8, 1]] },
//   { class = "l2", at = { w = 1024, h = 1024 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { w = 1024, h = 1024, r = 0 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { w = 1024, h = 1024, r = 1 }, blocks = [[16, 16, 1], [8, 8, 1]] },
//   { class = "l2", at = { w = 512, h = 512, r = 2 }, blocks = [[16, 16, 1], [8, 8, 1], [64, 4, 1]] },
//   { class = "l2", at = { w = 64, h = 4096, r = 3 }, blocks = [[32, 8, 1], [256, 1, 1]] },
//   { class = "l2", at = { w = 512, h = 512, r = 4 }, blocks = [[32, 32, 1]] },
//   { class = "grid", at = { w = 64, h = 64 }, blocks = [[16, 16, 1]] },
//   { class = "grid", at = { w = 64, h = 64, r = 2 }, blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void conv2d_clamp(const float *img, const float *mask, float *out, int w, int h, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int side = 2 * r + 1;
    float sum = 0.0f;
    for (int dy = 0; dy < side; dy++)
        for (int dx = 0; dx < side; dx++) {
            int sx = min(max(x + dx - r, 0), w - 1);
            int sy = min(max(y + dy - r, 0), h - 1);
            sum += mask[dy * side + dx] * img[sy * w + sx];
        }
    out[y * w + x] = sum;
}
