// Matrix product whose author promises at most 256 threads a block: more registers are to be had.
// ```toml
// kernel = "mm_bounds"
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
// rows = [
//   { class = "large", at = { m = 4096, n = 4096, k = 4096 }, blocks = [[16, 16, 1]] },
//   { class = "l2", at = { m = 512, n = 512, k = 512 }, blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 1000, n = 1000, k = 1000 }, blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 1023, n = 1023, k = 1023 }, blocks = [[16, 16, 1]] },
//   { class = "odd", at = { m = 2056, n = 2056, k = 2056 }, blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void __launch_bounds__(256)
    mm_bounds(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int m, int n,
              int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + col];
    C[row * n + col] = sum;
}
