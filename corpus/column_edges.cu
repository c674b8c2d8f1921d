// The columns' pass of a separable filter: the mask is in constant memory, and rows outside the image are left out.
// ```toml
// kernel = "column_edges"
// arg = [
//   { name = "x", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
//   { name = "r", type = "i32", value = "r" },
// ]
// global = [
//   { name = "taps", type = "f32", count = "64", fill = "uniform(-1,1)" },
// ]
// [sizes]
// w = { small = [50, 33, 2, 1, 20], large = 4096 }
// h = { small = [23, 16, 3, 0, 150], large = 4096 }
// r = { small = [2, 3, 1, 0, 2], large = 8 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// x = "staged"
// taps = "ConstantMemory"
// y = "OnlyStored"
// [bench]
// bytes = "8*w*h"
// flops = "2*w*h*(2*r + 1)"
// rows = [
//   { class = "large", blocks = [[16, 16, 1], [32, 8, 1], [8, 8, 1]] },
//   { class = "large", at = { r = 2 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { w = 1024, h = 1024 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { w = 512, h = 512, r = 3 }, blocks = [[32, 8, 1]] },
// ]
// ```
__constant__ float taps[64];

__global__ void column_edges(const float *x, float *y, int w, int h, int r)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= w || row >= h)
        return;
    float sum = 0.0f;
    for (int k = -r; k <= r; k++)
        if (row + k >= 0 && row + k < h)
            sum += x[(row + k) * w + col] * taps[k + r];
    y[row * w + col] = sum;
}
