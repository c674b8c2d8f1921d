// Matrix product indexed by unsigned integers.
// ```toml
// kernel = "mm_unsigned"
// arg = [
//   { name = "A", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "u32", value = "m" },
//   { name = "n", type = "u32", value = "n" },
//   { name = "k", type = "u32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5, 132, 129], large = 2048 }
// n = { small = [29, 16, 1, 0, 136, 130], large = 2048 }
// k = { small = [53, 64, 0, 3, 52, 36], large = 2048 }
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
// blas = { a = "A", b = "B", c = "C", m = "m", n = "n", k = "k" }
// ```
__global__ void mm_unsigned(const float *A, const float *B, float *C, unsigned m, unsigned n,
                            unsigned k)
{
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (unsigned i = 0; i < k; i++)
            sum += A[row * k + i] * B[i * n + col];
        C[row * n + col] = sum;
    }
}
