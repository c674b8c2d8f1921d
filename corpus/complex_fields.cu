// Product of matrices of complex doubles, field by field, with ids of 64 bits and an early return.
// ```toml
// kernel = "complex_fields"
// arg = [
//   { name = "A", type = "f64", count = "2*m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f64", count = "2*k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f64", count = "2*m*n", fill = "zero", output = true },
//   { name = "m", type = "i64", value = "m" },
//   { name = "n", type = "i64", value = "n" },
//   { name = "k", type = "i64", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5], large = 1024 }
// n = { small = [29, 16, 1, 0], large = 1024 }
// k = { small = [53, 32, 0, 3], large = 1024 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "16*(m*k + k*n + m*n)"
// flops = "8*m*n*k"
// ```
struct Complex {
    double re, im;
};

__global__ void complex_fields(const Complex *A, const Complex *B, Complex *C, size_t m, size_t n, size_t k)
{
    size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    double re = 0, im = 0;
    for (size_t i = 0; i < k; i++) {
        const Complex &a = A[row * k + i], &b = B[i * n + col];
        re += a.re * b.re - a.im * b.im;
        im += a.re * b.im + a.im * b.re;
    }
    C[row * n + col].re = re;
    C[row * n + col].im = im;
}
