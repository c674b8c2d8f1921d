// Matrix times vector, a row per thread, indexed by size_t.
// ```toml
// kernel = "mv_size_t"
// arg = [
//   { name = "A", type = "f64", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "x", type = "f64", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f64", count = "m", fill = "zero", output = true },
//   { name = "m", type = "u64", value = "m" },
//   { name = "n", type = "u64", value = "n" },
// ]
// [sizes]
// m = { small = [300, 65, 1, 0], large = 8192 }
// n = { small = [37, 64, 3, 1], large = 8192 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// A = "staged"
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*m*n"
// flops = "2*m*n"
// ```
__global__ void mv_size_t(const double *A, const double *x, double *y, size_t m, size_t n)
{
    size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m)
        return;
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += A[row * n + k] * x[k];
    y[row] = sum;
}
