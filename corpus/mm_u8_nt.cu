// Matrix product of unsigned bytes with the second matrix by columns, summed in unsigned numbers that wrap, on top of what is there.
// ```toml
// kernel = "mm_u8_nt"
// arg = [
//   { name = "A", type = "u8", count = "m*k", fill = "uniform(0,255)" },
//   { name = "B", type = "u8", count = "n*k", fill = "uniform(0,255)" },
//   { name = "C", type = "u32", count = "m*n", fill = "uniform(-2147483648,2147483647)", output = true },
//   { name = "m", type = "u32", value = "m" },
//   { name = "n", type = "u32", value = "n" },
//   { name = "k", type = "u32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 150], large = 2048 }
// n = { small = [29, 16, 1, 130], large = 2048 }
// k = { small = [53, 64, 0, 80], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// A = "staged"
// B = "staged"
// [bench]
// bytes = "m*k + k*n + 8*m*n"
// flops = "2*m*n*k"
// unit = "i32"
// rows = [
//   { class = "large", blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 1999, n = 2047, k = 2049 }, blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void mm_u8_nt(const unsigned char *A, const unsigned char *B, unsigned *C, unsigned m, unsigned n, unsigned k)
{
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    unsigned sum = C[row * n + col];
    for (unsigned i = 0; i < k; i++)
        sum += A[row * k + i] * B[col * k + i];
    C[row * n + col] = sum;
}
