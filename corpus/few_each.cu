// Four neighbours a thread, each the sum of a column.
// ```toml
// kernel = "few_each"
// arg = [
//   { name = "A", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "x", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 0, 40], large = 8192 }
// n = { small = [290, 64, 1, 5, 400], large = 8192 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + 4*bx - 1) / (4*bx)", "1", "1"]
// [expect]
// A = "staged"
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*m*n"
// flops = "2*m*n"
// rows = [
//   { class = "large", at = { m = 8192, n = 8192 }, blocks = [[256, 1, 1], [64, 1, 1]] },
//   { class = "odd", at = { m = 1001, n = 40003 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void few_each(const float *A, const float *x, float *y, int m, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    for (int j = first; j < first + 4 && j < n; j++) {
        float s = 0.0f;
        for (int i = 0; i < m; i++)
            s += A[i * n + j] * x[i];
        y[j] = s;
    }
}
