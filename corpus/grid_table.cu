// A grid-stride loop around a sum over a table that all threads share: threads leave the outer loop
// at different times, and the results might lie in the table.
// ```toml
// kernel = "grid_table"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "table", type = "f32", count = "t", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "t", type = "i32", value = "t" },
// ]
// [sizes]
// n = { small = [500, 65, 1, 0], large = 16777216 }
// t = { small = [37, 64, 3, 5], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["min((n + bx - 1) / bx, 3)", "1", "1"]
// [expect]
// table = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "3*n*t"
// ```
__global__ void grid_table(const float *x, const float *table, float *y, int n, int t)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float sum = 0.0f;
        for (int k = 0; k < t; k++)
            sum += table[k] * (x[i] + k);
        y[i] = sum;
    }
}
