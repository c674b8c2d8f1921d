// Transpose of A by B in double, rows with gaps, scaled and added to what is there.
// ```toml
// kernel = "mm_double_tn"
// arg = [
//   { name = "A", type = "f64", count = "(k-1)*(m+pad) + m", fill = "uniform(-1,1)" },
//   { name = "B", type = "f64", count = "(k-1)*(n+3*pad) + n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f64", count = "(m-1)*(n+pad) + n", fill = "uniform(-1,1)", output = true },
//   { name = "m", type = "u64", value = "m" },
//   { name = "n", type = "u64", value = "n" },
//   { name = "k", type = "u64", value = "k" },
//   { name = "lda", type = "u64", value = "m + pad" },
//   { name = "ldb", type = "u64", value = "n + 3*pad" },
//   { name = "ldc", type = "u64", value = "n + pad" },
//   { name = "alpha", type = "f64", value = "1.5" },
//   { name = "beta", type = "f64", value = "-0.75" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 70, 32], large = 2048 }
// n = { small = [29, 16, 1, 130, 48], large = 2048 }
// k = { small = [53, 64, 3, 20, 33], large = 2048 }
// pad = { small = [4, 1, 1, 7, 0], large = 0 }
// [launch]
// blocks = [[16, 16, 1], [32, 4, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [bench]
// bytes = "8*(m*k + k*n + 2*m*n)"
// flops = "2*m*n*k"
// rows = [
//   { class = "large", blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 1999, n = 2003, k = 2001, pad = 1 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { m = 512, n = 512, k = 512, pad = 0 }, blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void mm_double_tn(const double *__restrict__ A, const double *__restrict__ B, double *__restrict__ C, size_t m, size_t n, size_t k,
                             size_t lda, size_t ldb, size_t ldc, double alpha, double beta)
{
    size_t col = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    size_t row = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
    if (col >= n)
        return;
    if (row >= m)
        return;
    double sum = 0.0;
    for (size_t i = 0; i < k; i++)
        sum += A[i * lda + row] * B[i * ldb + col];
    C[row * ldc + col] = alpha * sum + beta * C[row * ldc + col];
}
