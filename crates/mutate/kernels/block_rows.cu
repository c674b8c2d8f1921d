// Rows of a pitched image summed. Where a block's first row lies is worked out in 32 bits, by itself, and wraps: with a
// pitch of 2^30 and one thread a block, all rows are the first. The first block's own number does not show that.
// ```toml
// kernel = "block_rows"
// arg = [
//   { name = "x", type = "f32", count = "min(4*g*b*pitch, 8*w*g) + w", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "g*b", fill = "zero", output = true },
//   { name = "w", type = "i32", value = "w" },
//   { name = "pitch", type = "u32", value = "pitch" },
// ]
// [sizes]
// g = { small = [4, 5, 7, 1], large = 4096 }
// b = { small = [1, 1, 1, 1], large = 1 }
// w = { small = [37, 20, 16, 3], large = 512 }
// pitch = { small = [37, 1073741824, 1073741824, 3], large = 512 }
// [launch]
// blocks = [[1, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*g*w"
// flops = "g*w"
// ```
__global__ void block_rows(const float *x, float *y, int w, unsigned pitch)
{
    size_t first = 4u * blockIdx.x * blockDim.x * pitch;
    size_t row = first + (size_t)threadIdx.x * 4u * pitch;
    float sum = 0.0f;
    for (int k = 0; k < w; k++)
        sum += x[row + k];
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
