// A matrix that a product is added to, in place, as in a blocked factorisation: sums of doubles begin with what lies there.
// ```toml
// kernel = "mm_update"
// arg = [
//   { name = "A", type = "f64", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f64", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f64", count = "m*(n+pad)", fill = "uniform(-1,1)", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
//   { name = "ldc", type = "i32", value = "n + pad" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 70, 5], large = 2048 }
// n = { small = [29, 16, 1, 130, 0], large = 2048 }
// k = { small = [53, 64, 1, 16, 3], large = 2048 }
// pad = { small = [0, 1, 2, 3, 1], large = 0 }
// [launch]
// blocks = [[16, 16, 1], [32, 4, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [bench]
// bytes = "8*(m*k + k*n + 2*m*n)"
// flops = "2*m*n*k"
// unit = "f64"
// rows = [
//   { class = "large", blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void mm_update(const double *__restrict__ A, const double *__restrict__ B, double *__restrict__ C, int m, int n, int k, int ldc)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    double sum = C[row * ldc + col];
    for (int i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + col];
    C[row * ldc + col] = sum;
}
