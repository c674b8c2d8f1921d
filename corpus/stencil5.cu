// Five-point stencil in two dimensions, interior points only.
// ```toml
// kernel = "stencil5"
// arg = [
//   { name = "in", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [67, 32, 3, 1], large = 8192 }
// h = { small = [41, 16, 3, 0], large = 8192 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// in = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "8*w*h"
// flops = "6*w*h"
// blocks = [[32, 8, 1], [16, 16, 1]]
// ```
__global__ void stencil5(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
        int c = y * w + x;
        out[c] = 0.5f * in[c] + 0.125f * (in[c - 1] + in[c + 1] + in[c - w] + in[c + w]);
    }
}
