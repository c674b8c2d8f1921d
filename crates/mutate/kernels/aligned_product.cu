// A product whose rows begin at multiples of 16 bytes and whose groups of small blocks are whole: all strips are
// copied in wide pieces, and most passes are steady.
// ```toml
// kernel = "aligned_product"
// arg = [
//   { name = "A", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [32, 16, 64], large = 2048 }
// n = { small = [32, 64, 16], large = 2048 }
// k = { small = [68, 128, 36], large = 2048 }
// [launch]
// blocks = [[8, 8, 1], [16, 2, 1]]
// grid = ["n / bx", "m / by", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// ```
__global__ void aligned_product(const float *A, const float *B, float *C, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + col];
    C[row * n + col] = sum;
}
