// Which of many bins of equal width a number falls into, in blocks of two dimensions: as many bins as one takes for a
// distribution, of which shared memory has the first.
// ```toml
// kernel = "float_bins"
// arg = [
//   { name = "image", type = "f32", count = "w*h", fill = "uniform(0,1)" },
//   { name = "bins", type = "u32", count = "b", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "h", type = "i32", value = "h" },
//   { name = "scale", type = "f32", value = "b" },
// ]
// [sizes]
// w = { small = [70, 33, 1, 0], large = 8192 }
// h = { small = [45, 16, 1, 0], large = 8192 }
// b = { small = [1400, 20, 1, 1], large = 4096 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [7, 5, 1]]
// grid = ["(w + bx - 1) / bx", "(h + by - 1) / by", "1"]
// [expect]
// bins = "staged"
// [bench]
// bytes = "4*w*h"
// ```
__global__ void float_bins(const float *image, unsigned *bins, int w, int h, float scale)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    atomicAdd(&bins[(int)(image[y * w + x] * scale)], 1u);
}
