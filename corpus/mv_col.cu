// Transposed matrix times vector: the matrix is coalesced and used once, the vector is shared.
// ```toml
// kernel = "mv_col"
// arg = [
//   { name = "A", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "x", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [300, 65, 1, 0], large = 8192 }
// m = { small = [37, 64, 3, 1], large = 8192 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*m*n"
// flops = "2*m*n"
// ```
__global__ void mv_col(const float *A, const float *x, float *y, int m, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col < n) {
        float sum = 0.0f;
        for (int k = 0; k < m; k++)
            sum += A[k * n + col] * x[k];
        y[col] = sum;
    }
}
