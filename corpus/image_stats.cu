// Counts and row peaks of an image by atomics on two tables: a grid of two dimensions, two operations.
// ```toml
// kernel = "image_stats"
// arg = [
//   { name = "image", type = "u16", count = "w*h", fill = "index(60000)" },
//   { name = "bins", type = "u32", count = "256", fill = "zero", output = true },
//   { name = "peak", type = "i32", count = "16", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
// ]
// [sizes]
// w = { small = [70, 33, 1, 0], large = 8192 }
// h = { small = [45, 16, 1, 0], large = 8192 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// bins = "staged"
// peak = "staged"
// [bench]
// bytes = "2*w*h"
// ```
__global__ void image_stats(const unsigned short *image, unsigned *bins, int *peak, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int v = image[y * w + x];
    atomicAdd(&bins[v >> 8], 1u);
    atomicMax(&peak[y & 15], v);
}
