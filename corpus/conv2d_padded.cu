// Two-dimensional convolution over a padded image: no clamping, the window is 17x17 on the GPU.
// ```toml
// kernel = "conv2d_padded"
// arg = [
//   { name = "img", type = "f32", count = "(w+s)*(h+s)", fill = "uniform(-1,1)" },
//   { name = "mask", type = "f32", count = "s*s", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
//   { name = "side", type = "i32", value = "s" },
// ]
// [sizes]
// w = { small = [50, 33, 2, 1], large = 4096 }
// h = { small = [23, 16, 3, 0], large = 4096 }
// s = { small = [5, 7, 2, 1], large = 17 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// img = "staged"
// mask = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "8*w*h"
// flops = "2*w*h*s*s"
// rows = [
//   { class = "large", blocks = [[16, 16, 1], [32, 8, 1]] },
//   { class = "large", at = { s = 3 }, blocks = [[16, 16, 1]] },
//   { class = "large", at = { s = 2 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { w = 256, h = 256, s = 3 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { w = 512, h = 512, s = 3 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { w = 512, h = 512, s = 2 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { w = 1024, h = 1024, s = 3 }, blocks = [[16, 16, 1], [32, 8, 1]] },
//   { class = "l2", at = { w = 1024, h = 1024, s = 2 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { w = 300, h = 300, s = 3 }, blocks = [[8, 8, 1]] },
//   { class = "l2", at = { w = 512, h = 512, s = 4 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { w = 512, h = 512, s = 7 }, blocks = [[64, 4, 1], [256, 1, 1]] },
//   { class = "l2", at = { w = 64, h = 4096, s = 5 }, blocks = [[32, 8, 1], [256, 1, 1]] },
// ]
// ```
__global__ void conv2d_padded(const float *__restrict__ img, const float *__restrict__ mask,
                              float *__restrict__ out, int w, int h, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int pitch = w + side - 1;
    if (x < w && y < h) {
        float sum = 0.0f;
        for (int dy = 0; dy < side; dy++)
            for (int dx = 0; dx < side; dx++)
                sum += mask[dy * side + dx] * img[(y + dy) * pitch + x + dx];
        out[y * w + x] = sum;
    }
}
