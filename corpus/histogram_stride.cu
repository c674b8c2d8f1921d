// A histogram by atomics on global memory, by a grid of any size that goes over all elements.
// ```toml
// kernel = "histogram_stride"
// arg = [
//   { name = "data", type = "u8", count = "n", fill = "index(256)" },
//   { name = "bins", type = "u32", count = "256", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [9000, 1000, 65, 0], large = 67108864 }
// g = { small = [3, 7, 1, 2], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// bins = "staged"
// [bench]
// bytes = "n"
// ```
__global__ void histogram_stride(const unsigned char *data, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[data[i]], 1u);
}
