// Matrix product by a flattened 64-bit id, guarded by its row.
// ```toml
// kernel = "flat_mm_size_t"
// arg = [
//   { name = "A", type = "f64", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f64", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f64", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "u64", value = "m" },
//   { name = "n", type = "u64", value = "n" },
//   { name = "k", type = "u64", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5], large = 2048 }
// n = { small = [29, 16, 9, 40], large = 2048 }
// k = { small = [53, 64, 0, 3], large = 2048 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m*n + bx - 1) / bx + 1", "1", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "8*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// ```
__global__ void flat_mm_size_t(const double *A, const double *B, double *C, size_t m, size_t n,
                               size_t k)
{
    size_t id = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = id / n;
    size_t col = id % n;
    if (row < m && col < n) {
        double sum = 0.0;
        for (size_t i = 0; i < k; i++)
            sum += A[row * k + i] * B[i * n + col];
        C[row * n + col] = sum;
    }
}
