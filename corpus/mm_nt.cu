// Product with the right operand transposed: C = A B'. The walk over B is uncoalesced.
// ```toml
// kernel = "mm_nt"
// arg = [
//   { name = "A", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5, 132, 129], large = 2048 }
// n = { small = [29, 16, 1, 0, 130, 128], large = 2048 }
// k = { small = [53, 64, 0, 3, 52, 37], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// blas = { a = "A", b = "B", c = "C", m = "m", n = "n", k = "k", tb = true }
// ```
__global__ void mm_nt(const float *A, const float *B, float *C, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++)
            sum += A[row * k + i] * B[col * k + i];
        C[row * n + col] = sum;
    }
}
