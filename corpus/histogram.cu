// A histogram by atomics on global memory.
// ```toml
// kernel = "histogram"
// arg = [
//   { name = "data", type = "u8", count = "n", fill = "index(256)" },
//   { name = "bins", type = "u32", count = "256", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [1000, 65, 1, 0], large = 67108864 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// bins = "staged"
// [bench]
// bytes = "n"
// ```
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1u);
}
