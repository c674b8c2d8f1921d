// A times its own transpose with the sum in a register.
// ```toml
// kernel = "mm_aat"
// arg = [
//   { name = "a", type = "f64", count = "n*k", fill = "uniform(-1,1)" },
//   { name = "c", type = "f64", count = "n*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// n = { small = [35, 16, 1, 0], large = 1024 }
// k = { small = [53, 64, 3, 1], large = 1024 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [expect]
// a = "staged"
// c = "OnlyStored"
// [bench]
// bytes = "8*(n*k + n*n)"
// flops = "2*n*n*k"
// blas = { a = "a", b = "a", c = "c", m = "n", n = "n", k = "k", tb = true }
// rows = [
//   { class = "large", at = { n = 2048, k = 2048 }, blocks = [[16, 16, 1], [32, 8, 1]] },
// ]
// ```
__global__ void mm_aat(const double *__restrict__ a, double *__restrict__ c, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        double sum = 0.0;
        for (int e = 0; e < k; e++)
            sum += a[row * k + e] * a[col * k + e];
        c[row * n + col] = sum;
    }
}
