// A product whose grid has the rows along x: blocks are numbered along another axis than their threads.
// ```toml
// kernel = "mm_crossed"
// arg = [
//   { name = "a", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 64, 1, 130], large = 4096 }
// n = { small = [70, 32, 1, 129], large = 4096 }
// k = { small = [53, 64, 1, 16], large = 4096 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(m + by - 1) / by", "(n + bx - 1) / bx", "1"]
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// ```
__global__ void mm_crossed(const float *a, const float *b, float *c, int m, int n, int k)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    int col = blockIdx.y * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++)
            sum += a[row * k + i] * b[i * n + col];
        c[row * n + col] = sum;
    }
}
