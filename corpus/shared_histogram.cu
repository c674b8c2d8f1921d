// Bytes counted in a block's own cells, over an image by the grid's size.
// ```toml
// kernel = "shared_histogram"
// arg = [
//   { name = "image", type = "u8", count = "w*h", fill = "uniform(0,255)" },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
//   { name = "bins", type = "u32", count = "256*gx", fill = "zero", output = true },
// ]
// [sizes]
// w = { small = [37, 64, 1, 0, 200], large = 8192 }
// h = { small = [29, 40, 1, 7, 90], large = 8192 }
// gx = { small = [3, 1, 2, 1, 2], large = 264 }
// [launch]
// blocks = [[32, 4, 1], [32, 8, 1], [33, 3, 1]]
// grid = ["gx", "1", "1"]
// [expect]
// image = "OwnBarrier"
// bins = "OnlyStored"
// [bench]
// bytes = "w*h"
// ```
__global__ void shared_histogram(const unsigned char *__restrict__ image, int w, int h, unsigned *__restrict__ bins)
{
    __shared__ unsigned own[256];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
    int across = gridDim.x * blockDim.x, down = blockDim.y;
    int t = threadIdx.y * blockDim.x + threadIdx.x, all = blockDim.x * blockDim.y;
    for (int i = t; i < 256; i += all)
        own[i] = 0;
    __syncthreads();
    for (int col = x; col < w; col += across)
        for (int row = y; row < h; row += down)
            atomicAdd(&own[image[row * w + col]], 1);
    __syncthreads();
    for (int i = t; i < 256; i += all)
        bins[blockIdx.x * 256 + i] = own[i];
}
