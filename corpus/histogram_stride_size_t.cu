// Classes of 16-bit values and their peaks, by a grid of any size that goes over all elements, counted in `size_t`.
// ```toml
// kernel = "histogram_stride_size_t"
// arg = [
//   { name = "data", type = "u16", count = "n+3", fill = "index(60000)" },
//   { name = "bins", type = "u32", count = "64", fill = "zero", output = true },
//   { name = "peak", type = "i32", count = "16", fill = "zero", output = true },
//   { name = "n", type = "u64", value = "n" },
// ]
// [sizes]
// n = { small = [9000, 1000, 65, 0], large = 33554432 }
// g = { small = [3, 7, 1, 2], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// bins = "staged"
// peak = "staged"
// [bench]
// bytes = "2*n"
// ```
__global__ void histogram_stride_size_t(const unsigned short *__restrict__ data, unsigned *__restrict__ bins,
                                        int *__restrict__ peak, size_t n)
{
    size_t step = (size_t)blockDim.x * gridDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        int v = data[i + 3];
        atomicAdd(&bins[v >> 10], 1u);
        atomicMax(&peak[i & 15], v);
    }
}
