// Matrix product of signed bytes summed in int.
// ```toml
// kernel = "mm_i8"
// arg = [
//   { name = "A", type = "i8", count = "m*k", fill = "index(100)" },
//   { name = "B", type = "i8", count = "k*n", fill = "index(100)" },
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
// bytes = "m*k + k*n + 4*m*n"
// flops = "2*m*n*k"
// unit = "i32"
// rows = [
//   { class = "large", blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]] },
//   { class = "large", at = { m = 4096, n = 4096, k = 4096 }, blocks = [[16, 16, 1], [32, 8, 1]] },
//   { class = "odd", at = { m = 4001, n = 4003, k = 4005 }, blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void mm_i8(const signed char *A, const signed char *B, int *C, int m, int n, int k)
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
