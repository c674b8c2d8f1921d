// Matrix product in double, both walked along their rows: many elements of the sum lie below what a double can hold, so that sums may be -0.
// ```toml
// kernel = "mm_double_nt"
// arg = [
//   { name = "A", type = "f64", count = "m*k", fill = "uniform(-1e-162,1e-162)" },
//   { name = "B", type = "f64", count = "n*k", fill = "uniform(-1e-162,1e-162)" },
//   { name = "C", type = "f64", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5], large = 2048 }
// n = { small = [29, 16, 1, 0], large = 2048 }
// k = { small = [5, 64, 1, 3], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [bench]
// bytes = "8*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// rows = [
//   { class = "large", blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void mm_double_nt(const double *A, const double *B, double *C, int m, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        double sum = -0.0;
        for (int i = 0; i < k; i++)
            sum += A[row * k + i] * B[col * k + i];
        C[row * n + col] = sum;
    }
}
