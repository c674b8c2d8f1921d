// Matrix product of signed bytes summed in int, one thread per element by a flattened id, columns one after the other.
// ```toml
// kernel = "flat_mm_i8"
// arg = [
//   { name = "A", type = "i8", count = "m*k", fill = "index(100)" },
//   { name = "B", type = "i8", count = "k*n", fill = "index(100)" },
//   { name = "C", type = "i32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 150, 9], large = 2048 }
// n = { small = [29, 16, 9, 40, 0], large = 2048 }
// k = { small = [53, 64, 0, 67, 5], large = 2048 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m*n + bx - 1) / bx + 1", "1", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "m*k + k*n + 4*m*n"
// flops = "2*m*n*k"
// unit = "i32"
// rows = [
//   { class = "large", at = { m = 4096, n = 4096, k = 4096 }, blocks = [[256, 1, 1], [128, 1, 1]] },
//   { class = "odd", at = { m = 2001, n = 2003, k = 2005 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void flat_mm_i8(const signed char *A, const signed char *B, int *C, int m, int n, int k)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= m * n)
        return;
    int row = id % m;
    int col = id / m;
    int sum = 0;
    for (int i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + col];
    C[row * n + col] = sum;
}
