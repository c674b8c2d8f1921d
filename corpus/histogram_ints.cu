// A histogram by a grid of any size, of numbers that nothing bounds, of data and bins that may be the same memory for
// all that the kernel says. Few bins lie in shared memory, many do not.
// ```toml
// kernel = "histogram_ints"
// arg = [
//   { name = "data", type = "i32", count = "n", fill = "index(b)" },
//   { name = "bins", type = "i32", count = "b", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [9000, 3000, 65, 1, 0], large = 67108864 }
// b = { small = [40, 1500, 1024, 1025, 1], large = 256 }
// g = { small = [3, 7, 1, 2, 1], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// bins = "staged"
// [bench]
// bytes = "4*n"
// ```
__global__ void histogram_ints(const int *data, int *bins, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins[data[i]], 1);
}
