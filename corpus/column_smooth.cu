// Each column of an image smoothed over a window of rows: windows overlap from row to row of threads.
// ```toml
// kernel = "column_smooth"
// arg = [
//   { name = "x", type = "f32", count = "w*(h+r)", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
//   { name = "r", type = "i32", value = "r" },
// ]
// [sizes]
// w = { small = [50, 33, 2, 1], large = 4096 }
// h = { small = [23, 16, 3, 0], large = 4096 }
// r = { small = [5, 7, 2, 1], large = 33 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*w*h"
// flops = "w*h*r"
// ```
__global__ void column_smooth(const float *__restrict__ x, float *__restrict__ y, int w, int h, int r)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= w || row >= h)
        return;
    float sum = 0.0f;
    for (int k = 0; k < r; k++)
        sum += x[(row + k) * w + col];
    y[row * w + col] = sum / r;
}
