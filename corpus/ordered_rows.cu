// Sums of a few rows, in order.
// ```toml
// kernel = "ordered_rows"
// arg = [
//   { name = "A", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 40, 5], large = 1024 }
// n = { small = [70, 64, 1, 0, 33], large = 16384 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// A = "staged"
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*m*n"
// flops = "2*m*n"
// rows = [
//   { class = "large", at = { m = 1024, n = 16384 }, blocks = [[256, 1, 1], [64, 1, 1]] },
//   { class = "large", at = { m = 8192, n = 4096 }, blocks = [[256, 1, 1]] },
//   { class = "odd", at = { m = 40003, n = 1001 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void ordered_rows(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    float s = 0.0f;
    for (int k = 0; k < n; k++)
        s += A[i * n + k] * x[k];
    y[i] = s;
}
