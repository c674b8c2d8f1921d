// A batch of small products: blockIdx.z picks the pair.
// ```toml
// kernel = "mm_batch"
// arg = [
//   { name = "A", type = "f32", count = "n*n*b", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "n*n*b", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "n*n*b", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "batch", type = "i32", value = "b" },
// ]
// [sizes]
// n = { small = [67, 16, 1], large = 128 }
// b = { small = [2, 2, 4], large = 256 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "max(b, 1)"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "12*n*n*b"
// flops = "2*n*n*n*b"
// ```
__global__ void mm_batch(const float *A, const float *B, float *C, int n, int batch)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    long long base = (long long)blockIdx.z * n * n;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++)
            sum += A[base + row * n + i] * B[base + i * n + col];
        C[base + row * n + col] = sum;
    }
}
