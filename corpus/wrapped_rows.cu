// Every fourth row of a pitched image summed, all in unsigned arithmetic: a pitch of 2^30 wraps
// around, so all rows are the first one, as C++ says. Exact arithmetic would leave the array.
// ```toml
// kernel = "wrapped_rows"
// arg = [
//   { name = "x", type = "f32", count = "4*pitch % 4294967296 * n + w", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "u32", value = "n" },
//   { name = "w", type = "u32", value = "w" },
//   { name = "pitch", type = "u32", value = "pitch" },
// ]
// [sizes]
// n = { small = [70, 70, 1, 0], large = 8192 }
// w = { small = [37, 37, 16, 1], large = 2048 }
// pitch = { small = [37, 1073741824, 32, 1], large = 2048 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*n*w"
// flops = "n*w"
// ```
__global__ void wrapped_rows(const float *x, float *y, unsigned n, unsigned w, unsigned pitch)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (unsigned k = 0; k < w; k++)
            sum += x[4 * i * pitch + k];
        y[i] = sum;
    }
}
