// Counts by class of the part of the data that the grid has threads for: a version in which any number of blocks does all that are below the limit
// would count more.
// ```toml
// kernel = "part_counted"
// arg = [
//   { name = "data", type = "u8", count = "n", fill = "index(256)" },
//   { name = "bins", type = "u32", count = "256", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [5000, 640, 65], large = 67108864 }
// g = { small = [40, 10, 1], large = 262144 }
// [launch]
// blocks = [[128, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// bins = "staged"
// [bench]
// bytes = "n"
// ```
__global__ void part_counted(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1u);
}
