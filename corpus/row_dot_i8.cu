// Signed bytes: a matrix times a vector, summed in int, a row per thread, early return.
// ```toml
// kernel = "row_dot_i8"
// arg = [
//   { name = "A", type = "i8", count = "m*n", fill = "uniform(-128,127)" },
//   { name = "x", type = "i8", count = "n", fill = "uniform(-128,127)" },
//   { name = "y", type = "i32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [130, 65, 1, 3], large = 4096 }
// n = { small = [77, 64, 33, 0], large = 16384 }
// [launch]
// blocks = [[256, 1, 1], [128, 1, 1], [33, 1, 1], [12, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "m*n"
// flops = "2*m*n"
// unit = "i32"
// rows = [
//   { class = "large", blocks = [[256, 1, 1], [64, 1, 1]] },
//   { class = "odd", at = { m = 1021, n = 40001 }, blocks = [[128, 1, 1]] },
// ]
// ```
__global__ void row_dot_i8(const signed char *A, const signed char *x, int *y, int m, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m)
        return;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += A[row * n + k] * x[k];
    y[row] = sum;
}
