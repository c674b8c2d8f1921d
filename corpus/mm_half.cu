// Matrix product of half-precision operands summed in float.
// ```toml
// kernel = "mm_half"
// arg = [
//   { name = "A", type = "f16", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f16", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5], large = 2048 }
// n = { small = [29, 16, 1, 0], large = 2048 }
// k = { small = [53, 64, 0, 3], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "2*(m*k + k*n) + 4*m*n"
// flops = "2*m*n*k"
// ```
typedef _Float16 half_t;

__global__ void mm_half(const half_t *A, const half_t *B, float *C, int m, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++)
            sum += (float)A[row * k + i] * (float)B[i * n + col];
        C[row * n + col] = sum;
    }
}
