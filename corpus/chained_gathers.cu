// Each thread adds every number of its own, which it gathers, to its next one: where both arrays are one, what it loads
// is what it has added to, and no other thread touches that.
// ```toml
// kernel = "chained_gathers"
// arg = [
//   { name = "place", type = "i32", count = "n", fill = "iota" },
//   { name = "data", type = "i16", count = "2*n", fill = "iota" },
//   { name = "sums", type = "i32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "step", type = "i32", value = "g*bx" },
// ]
// alias = [{ arg = "sums", of = "data", offset = "0" }]
// [sizes]
// n = { small = [5000, 1000, 65, 0], large = 16777216 }
// g = { small = [3, 7, 1, 2], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// sums = "staged"
// ```
__global__ void chained_gathers(const int *place, const short *data, int *sums, int n, int step)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int own = place[i];
        if (own < n - step)
            atomicAdd(&sums[own + step], data[2 * own] + 65536 * data[2 * own + 1]);
    }
}
