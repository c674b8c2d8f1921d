// A transpose by a tile of the programmer's own as long as a warp, without padding: columns lie in one bank. A row of
// eight threads high, as the tile is filled in four steps; edges.
// ```toml
// kernel = "own_transpose_32"
// arg = [
//   { name = "in", type = "f32", count = "w*h", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "w*h", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [70, 33, 1, 0], large = 8192 }
// h = { small = [45, 64, 1, 0], large = 8192 }
// [launch]
// blocks = [[32, 8, 1]]
// grid = ["(w + 31) / 32", "(h + 31) / 32", "1"]
// [expect]
// in = "OwnBarrier"
// out = "OnlyStored"
// [bench]
// bytes = "8*w*h"
// ```
__global__ void own_transpose_32(const float *in, float *out, int w, int h)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w)
            out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
