// Five-point stencil whose threads along x walk down the columns of its rows.
// ```toml
// kernel = "map_stencil"
// arg = [
//   { name = "in", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "h", type = "i32", value = "h" },
//   { name = "w", type = "i32", value = "w" },
// ]
// [sizes]
// h = { small = [37, 16, 3, 1], large = 8192 }
// w = { small = [29, 16, 3, 0], large = 8192 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(h + bx - 1) / bx", "(w + by - 1) / by", "1"]
// [expect]
// in = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "8*w*h"
// flops = "6*w*h"
// ```
__global__ void map_stencil(const float *in, float *out, int h, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < h - 1 && j > 0 && j < w - 1) {
        int c = i * w + j;
        out[c] = 0.25f * (in[c - 1] + in[c + 1] + in[c - w] + in[c + w]) - in[c];
    }
}
