// Matrix product by a loop of the grid's size over flattened elements.
// ```toml
// kernel = "stride_mm"
// arg = [
//   { name = "A", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
//   { name = "g", type = "i32", value = "g" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5, 40], large = 2048 }
// n = { small = [29, 16, 9, 0, 40], large = 2048 }
// k = { small = [53, 64, 0, 3, 70], large = 2048 }
// g = { small = [1, 2, 3, 5, 7], large = 1056 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["g", "1", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// blas = { a = "A", b = "B", c = "C", m = "m", n = "n", k = "k" }
// rows = [
//   { class = "large", at = { m = 4096, n = 4096, k = 4096, g = 1056 }, blocks = [[256, 1, 1]] },
//   { class = "l2", at = { m = 512, n = 512, k = 512, g = 264 }, blocks = [[256, 1, 1]] },
//   { class = "odd", at = { m = 1023, n = 1023, k = 1023, g = 1056 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void stride_mm(const float *A, const float *B, float *C, int m, int n, int k, int g)
{
    for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < m * n; id += gridDim.x * blockDim.x) {
        int row = id / n;
        int col = id % n;
        float sum = 0.0f;
        for (int i = 0; i < k; i++)
            sum += A[row * k + i] * B[i * n + col];
        C[row * n + col] = sum;
    }
}
