// Eight neighbours a thread, element by element, unsigned, in place.
// ```toml
// kernel = "few_each_unsigned"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "uniform(-1,1)", output = true },
//   { name = "a", type = "f32", value = "3" },
//   { name = "n", type = "u32", value = "n" },
// ]
// [sizes]
// n = { small = [1000, 65, 1, 0], large = 33554432 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + 8*bx - 1) / (8*bx) + 1", "1", "1"]
// [expect]
// x = "staged"
// y = "staged"
// [bench]
// bytes = "12*n"
// flops = "2*n"
// rows = [
//   { class = "large", at = { n = 33554432 }, blocks = [[256, 1, 1]] },
//   { class = "odd", at = { n = 10000001 }, blocks = [[96, 1, 1]] },
// ]
// ```
__global__ void few_each_unsigned(const float *x, float *y, float a, unsigned n)
{
    unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    for (unsigned i = first; i < first + 8 && i < n; i++)
        y[i] = a * x[i] + y[i];
}
