// A product of unsigned by signed bytes without limits: rows of 384 bytes, as many threads as there are elements, 32-bit sums negated.
// ```toml
// kernel = "mm_u8_tiles"
// arg = [
//   { name = "A", type = "u8", count = "m*384", fill = "uniform(0,255)" },
//   { name = "B", type = "i8", count = "384*n", fill = "uniform(-128,127)" },
//   { name = "C", type = "i32", count = "m*n", fill = "uniform(-2147483648,2147483647)", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [128, 64, 256], large = 4096 }
// n = { small = [128, 128, 128], large = 4096 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1]]
// grid = ["n / bx", "m / by", "1"]
// [bench]
// bytes = "m*384 + 384*n + 4*m*n"
// flops = "2*m*n*384"
// unit = "i32"
// rows = [
//   { class = "large", blocks = [[32, 8, 1]] },
// ]
// ```
__global__ void mm_u8_tiles(const unsigned char *__restrict__ A, const signed char *__restrict__ B, int *__restrict__ C, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0;
    for (int i = 0; i < 384; i++)
        sum += A[row * 384 + i] * B[i * n + col];
    C[row * n + col] = -sum;
}
