// A product whose blocks of one dimension are taken apart by a constant, with the grid's axes exchanged.
// ```toml
// kernel = "mm_flat_blocks"
// arg = [
//   { name = "A", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "m*n", fill = "uniform(-1,1)", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
//   { name = "alpha", type = "f32", value = "2" },
//   { name = "beta", type = "f32", value = "3" },
// ]
// [sizes]
// m = { small = [37, 64, 1, 130], large = 4096 }
// n = { small = [70, 32, 1, 129], large = 4096 }
// k = { small = [53, 64, 1, 16], large = 4096 }
// [launch]
// blocks = [[1024, 1, 1]]
// grid = ["(m + 31) / 32", "(n + 31) / 32", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "staged"
// [bench]
// bytes = "4*(m*k + k*n + 2*m*n)"
// flops = "2*m*n*k"
// ```
constexpr int SIDE = 32;
__global__ void mm_flat_blocks(const float *A, const float *B, float *C, int m, int n, int k, float alpha, float beta)
{
    const int row = blockIdx.x * SIDE + threadIdx.x / SIDE;
    const int col = blockIdx.y * SIDE + threadIdx.x % SIDE;
    if (row < m && col < n) {
        float sum = 0;
        for (int i = 0; i < k; i++)
            sum += A[row * k + i] * B[i * n + col];
        C[row * n + col] = alpha * sum + beta * C[row * n + col];
    }
}
