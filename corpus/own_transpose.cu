// A transpose by tiles of its own without padding: columns of a tile lie in few banks.
// ```toml
// kernel = "own_transpose"
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

__global__ void own_transpose(const float *x, float *y, int w, int h)
{
    __shared__ float tile[T][T];
    int column = blockIdx.x * T + threadIdx.x;
    int row = blockIdx.y * T + threadIdx.y;
    if (column < w && row < h)
        tile[threadIdx.y][threadIdx.x] = x[row * w + column];
    __syncthreads();
    column = blockIdx.y * T + threadIdx.x;
    row = blockIdx.x * T + threadIdx.y;
    if (column < h && row < w)
        y[row * h + column] = tile[threadIdx.x][threadIdx.y];
}
