// Matrix transpose: the store is uncoalesced, nothing is used twice.
// ```toml
// kernel = "transpose"
// arg = [
//   { name = "in", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [67, 32, 1, 0], large = 8192 }
// h = { small = [41, 32, 3, 1], large = 8192 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// in = "staged"
// out = "staged"
// [bench]
// bytes = "8*w*h"
// blocks = [[16, 16, 1], [32, 32, 1], [32, 8, 1]]
// ```
__global__ void transpose(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[x * h + y] = in[y * w + x];
}
