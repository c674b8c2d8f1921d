// Matrix product, one thread per element by a flattened id, early return.
// ```toml
// kernel = "flat_mm"
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
// n = { small = [29, 16, 9, 0, 40], large = 2048 }
// k = { small = [53, 64, 0, 3, 70], large = 2048 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m*n + bx - 1) / bx + 1", "1", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// blas = { a = "A", b = "B", c = "C", m = "m", n = "n", k = "k" }
// rows = [
//   { class = "large", at = { m = 4096, n = 4096, k = 4096 }, blocks = [[256, 1, 1], [128, 1, 1]] },
//   { class = "l2", at = { m = 512, n = 512, k = 512 }, blocks = [[256, 1, 1], [1024, 1, 1]] },
//   { class = "odd", at = { m = 1023, n = 1023, k = 1023 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void flat_mm(const float *A, const float *B, float *C, int m, int n, int k)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= m * n)
        return;
    int row = id / n;
    int col = id % n;
    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + col];
    C[id] = sum;
}
