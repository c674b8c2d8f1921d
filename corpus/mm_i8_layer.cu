// A quantised layer: weights by columns in rows of odd length, a bias for each column, requantised by a shift and clamped to signed bytes.
// ```toml
// kernel = "mm_i8_layer"
// arg = [
//   { name = "A", type = "i8", count = "(k-1)*(m+pad) + m", fill = "uniform(-128,127)" },
//   { name = "B", type = "i8", count = "(k-1)*(n+3*pad) + n", fill = "uniform(-128,127)" },
//   { name = "bias", type = "i32", count = "n", fill = "uniform(-3000,3000)" },
//   { name = "C", type = "i8", count = "(m-1)*(n+pad) + n", fill = "uniform(-128,127)", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
//   { name = "lda", type = "i32", value = "m + pad" },
//   { name = "ldb", type = "i32", value = "n + 3*pad" },
//   { name = "ldc", type = "i32", value = "n + pad" },
//   { name = "shift", type = "i32", value = "6" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 150, 32], large = 2048 }
// n = { small = [29, 16, 1, 130, 48], large = 2048 }
// k = { small = [53, 64, 3, 80, 33], large = 2048 }
// pad = { small = [4, 1, 1, 7, 0], large = 1 }
// [launch]
// blocks = [[16, 16, 1], [32, 4, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [bench]
// bytes = "m*k + k*n + m*n"
// flops = "2*m*n*k"
// unit = "i32"
// rows = [
//   { class = "large", blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void mm_i8_layer(const signed char *__restrict__ A, const signed char *__restrict__ B, const int *__restrict__ bias, signed char *__restrict__ C,
                            int m, int n, int k, int lda, int ldb, int ldc, int shift)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= n)
        return;
    if (row >= m)
        return;
    int sum = bias[col];
    for (int i = 0; i < k; i++)
        sum += (int)A[i * lda + row] * (int)B[i * ldb + col];
    sum >>= shift;
    if (sum > 127)
        sum = 127;
    if (sum < -128)
        sum = -128;
    C[row * ldc + col] = (signed char)sum;
}
