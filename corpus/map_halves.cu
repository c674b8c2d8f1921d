// A gate over numbers of half precision, by the grid's size: ids of 64 bits, in place of the first array.
// ```toml
// kernel = "map_halves"
// arg = [
//   { name = "x", type = "f16", count = "n", fill = "uniform(-1,1)", output = true },
//   { name = "y", type = "f16", count = "n", fill = "uniform(-1,1)" },
//   { name = "n", type = "u64", value = "n" },
// ]
// [sizes]
// n = { small = [3000, 2048, 77, 1, 0], large = 67108864 }
// [launch]
// blocks = [[256, 1, 1], [128, 1, 1], [33, 1, 1]]
// grid = ["(n + 4*bx - 1) / (4*bx)", "1", "1"]
// [bench]
// bytes = "6*n"
// flops = "4*n"
// rows = [
//   { class = "l2", at = { n = 4194304 } },
// ]
// ```
typedef _Float16 half_t;

__global__ void map_halves(half_t *__restrict__ x, const half_t *__restrict__ y, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float v = x[i];
        x[i] = v / (1 + fabsf(v)) * (float)y[i];
    }
}
