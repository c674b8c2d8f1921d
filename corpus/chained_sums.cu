// Each thread adds every number of its own to its next one, which is none of the first cells: where both arrays are one,
// what it loads is what it has added to in memory, and no other thread touches that.
// ```toml
// kernel = "chained_sums"
// arg = [
//   { name = "place", type = "i32", count = "n", fill = "iota" },
//   { name = "data", type = "i32", count = "n", fill = "index(100)" },
//   { name = "sums", type = "i32", count = "n + g*bx + 1024", fill = "const(3)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "step", type = "i32", value = "g*bx" },
// ]
// alias = [{ arg = "data", of = "sums", offset = "1024" }]
// [sizes]
// n = { small = [6000, 5000, 65, 0], large = 16777216 }
// g = { small = [3, 7, 1, 2], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// sums = "staged"
// ```
__global__ void chained_sums(const int *place, const int *data, int *sums, int n, int step)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&sums[place[i] + step + 1024], data[i]);
}
