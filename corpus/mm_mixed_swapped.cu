// Signed bytes times unsigned ones with 64-bit indices, rows along x: pixels times weights, scaled to floats.
// ```toml
// kernel = "mm_mixed_swapped"
// arg = [
//   { name = "w", type = "i8", count = "m*k", fill = "uniform(-128,127)" },
//   { name = "x", type = "u8", count = "k*n", fill = "uniform(0,255)" },
//   { name = "y", type = "f32", count = "m*n", fill = "uniform(-1,1)", output = true },
//   { name = "m", type = "i64", value = "m" },
//   { name = "n", type = "i64", value = "n" },
//   { name = "k", type = "i64", value = "k" },
//   { name = "alpha", type = "f32", value = "0.01" },
//   { name = "beta", type = "f32", value = "0.5" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 150], large = 2048 }
// n = { small = [29, 16, 1, 130], large = 2048 }
// k = { small = [53, 64, 3, 80], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [8, 32, 1]]
// grid = ["(m + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [bench]
// bytes = "m*k + k*n + 8*m*n"
// flops = "2*m*n*k"
// unit = "i32"
// rows = [
//   { class = "large", blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void mm_mixed_swapped(const signed char *w, const unsigned char *x, float *y, size_t m, size_t n, size_t k, float alpha, float beta)
{
    size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t col = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        int sum = 0;
        for (size_t i = 0; i < k; i++)
            sum += w[row * k + i] * x[i * n + col];
        y[row * n + col] = alpha * sum + beta * y[row * n + col];
    }
}
