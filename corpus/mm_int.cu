// Matrix product in int.
// ```toml
// kernel = "mm_int"
// arg = [
//   { name = "A", type = "i32", count = "m*k", fill = "index(1000)" },
//   { name = "B", type = "i32", count = "k*n", fill = "index(1000)" },
//   { name = "C", type = "i32", count = "m*n", fill = "zero", output = true },
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
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// ```
__global__ void mm_int(const int *A, const int *B, int *C, int m, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        int sum = 0;
        for (int i = 0; i < k; i++)
            sum += A[row * k + i] * B[i * n + col];
        C[row * n + col] = sum;
    }
}
