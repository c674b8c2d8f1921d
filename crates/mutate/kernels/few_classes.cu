// Counts by class, where the data has few of 256 classes and the table no more than those: a cell that nobody added
// to is no memory of the kernel's.
// ```toml
// kernel = "few_classes"
// arg = [
//   { name = "data", type = "i32", count = "n", fill = "index(20)" },
//   { name = "bins", type = "u32", count = "20", fill = "index(9)", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [1000, 65, 1, 0], large = 16777216 }
// [launch]
// blocks = [[64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// bins = "staged"
// [bench]
// bytes = "4*n"
// ```
__global__ void few_classes(const int *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i] & 255], 3u);
}
