// Matrix product whose inner loop is unrolled four times by hand, with a loop for the rest.
// ```toml
// kernel = "unrolled_mm"
// arg = [
//   { name = "A", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5, 40], large = 2048 }
// n = { small = [29, 16, 1, 0, 40], large = 2048 }
// k = { small = [53, 64, 0, 3, 70], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1], [32, 32, 1], [64, 4, 1], [4, 64, 1]]
// grid = ["(n + bx - 1) / bx + 1", "(m + by - 1) / by + 1", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// blas = { a = "A", b = "B", c = "C", m = "m", n = "n", k = "k" }
// rows = [
//   { class = "large", at = { m = 4096, n = 4096, k = 4096 }, blocks = [[16, 16, 1], [32, 8, 1]] },
//   { class = "odd", at = { m = 1023, n = 1023, k = 1023 }, blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void unrolled_mm(const float *__restrict__ A, const float *__restrict__ B,
                         float *__restrict__ C, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    int i = 0;
    for (; i + 4 <= k; i += 4) {
        sum += A[row * k + i] * B[i * n + col];
        sum += A[row * k + i + 1] * B[(i + 1) * n + col];
        sum += A[row * k + i + 2] * B[(i + 2) * n + col];
        sum += A[row * k + i + 3] * B[(i + 3) * n + col];
    }
    for (; i < k; i++)
        sum += A[row * k + i] * B[i * n + col];
    C[row * n + col] = sum;
}
