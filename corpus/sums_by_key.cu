// Sums, and how many there are, by keys that nothing bounds, from a first one on, by a loop of the grid's size: two tables.
// ```toml
// kernel = "sums_by_key"
// arg = [
//   { name = "key", type = "u32", count = "n", fill = "index(b)" },
//   { name = "value", type = "i32", count = "n", fill = "index(1000)" },
//   { name = "sum", type = "i32", count = "b + first", fill = "zero", output = true },
//   { name = "count", type = "i32", count = "b + first", fill = "zero", output = true },
//   { name = "n", type = "u64", value = "n" },
//   { name = "first", type = "i32", value = "first" },
// ]
// [sizes]
// n = { small = [9000, 1000, 65, 0], large = 33554432 }
// b = { small = [2000, 30, 1, 5], large = 1000 }
// first = { small = [7, 1020, 0, 1], large = 3 }
// g = { small = [3, 7, 1, 2], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// sum = "staged"
// count = "staged"
// [bench]
// bytes = "8*n"
// ```
__global__ void sums_by_key(const unsigned *__restrict__ key, const int *__restrict__ value, int *__restrict__ sum,
                            int *__restrict__ count, size_t n, int first)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int k = first + (int)key[i];
        atomicAdd(&sum[k], value[i]);
        atomicAdd(&count[k], 1);
    }
}
