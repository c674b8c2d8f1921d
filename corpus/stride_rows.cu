// Rows scaled by what they hold, in place, by a loop of the grid's size; 64-bit ids.
// ```toml
// kernel = "stride_rows"
// arg = [
//   { name = "x", type = "f32", count = "m*n", fill = "uniform(0,1)", output = true },
//   { name = "s", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "u64", value = "m" },
//   { name = "n", type = "u64", value = "n" },
//   { name = "g", type = "i32", value = "g" },
// ]
// [sizes]
// m = { small = [64, 300, 1, 0], large = 65536 }
// n = { small = [20, 37, 1, 4], large = 512 }
// g = { small = [1, 2, 3, 1], large = 132 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// x = "staged"
// s = "OnlyStored"
// [bench]
// bytes = "8*m*n"
// flops = "2*m*n"
// rows = [
//   { class = "large", at = { m = 65536, n = 512, g = 132 }, blocks = [[256, 1, 1]] },
//   { class = "odd", at = { m = 20011, n = 1001, g = 132 }, blocks = [[128, 1, 1]] },
// ]
// ```
__global__ void stride_rows(float *x, float *s, size_t m, size_t n, int g)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < m; i += (size_t)gridDim.x * blockDim.x) {
        float sum = 0.0f;
        for (size_t j = 0; j < n; j++)
            sum += x[i * n + j];
        for (size_t j = 0; j < n; j++)
            x[i * n + j] = x[i * n + j] / sum;
        s[i] = sum;
    }
}
