// Matrix times vector, a row per thread: neighbouring threads are a row apart.
// ```toml
// kernel = "mv_row"
// arg = [
//   { name = "A", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [300, 65, 1, 0], large = 8192 }
// n = { small = [37, 64, 3, 1], large = 8192 }
// [launch]
// blocks = [[256, 1, 1], [128, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// A = "staged"
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*m*n"
// flops = "2*m*n"
// rows = [
//   { class = "large", blocks = [[256, 1, 1], [128, 1, 1], [64, 1, 1]] },
//   { class = "odd", at = { m = 8191, n = 8191 }, blocks = [[256, 1, 1], [128, 1, 1], [64, 1, 1]] },
// ]
// ```
__global__ void mv_row(const float *A, const float *x, float *y, int m, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += A[row * n + k] * x[k];
        y[row] = sum;
    }
}
