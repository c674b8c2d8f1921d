// A 5-point stencil on a tile of its own with a border of one cell.
// ```toml
// kernel = "own_stencil"
// arg = [
//   { name = "x", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [37, 16, 1, 130], large = 8192 }
// h = { small = [53, 16, 1, 17], large = 8192 }
// [launch]
// blocks = [[16, 16, 1]]
// grid = ["(w + 15) / 16", "(h + 15) / 16", "1"]
// [bench]
// bytes = "8*w*h"
// ```
#define T 16

__global__ void own_stencil(const float *x, float *y, int w, int h)
{
    __shared__ float tile[T + 2][T + 2];
    int column = blockIdx.x * T + threadIdx.x, row = blockIdx.y * T + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int c = min(column, w - 1), r = min(row, h - 1);
    tile[ty][tx] = x[r * w + c];
    if (threadIdx.x == 0)
        tile[ty][0] = x[r * w + max(c - 1, 0)];
    if (threadIdx.x == T - 1)
        tile[ty][T + 1] = x[r * w + min(c + 1, w - 1)];
    if (threadIdx.y == 0)
        tile[0][tx] = x[max(r - 1, 0) * w + c];
    if (threadIdx.y == T - 1)
        tile[T + 1][tx] = x[min(r + 1, h - 1) * w + c];
    __syncthreads();
    if (column < w && row < h)
        y[row * w + column] = 0.2f * (tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                      tile[ty + 1][tx]);
}
