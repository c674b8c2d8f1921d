// Triangular product: rows of a lower triangle times columns of a matrix. Each row of threads runs as many iterations
// as the triangle has elements there.
// ```toml
// kernel = "tri_product"
// arg = [
//   { name = "c", type = "f32", count = "n*n", fill = "zero", output = true },
//   { name = "a", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [37, 150, 64, 1], large = 2048 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [5, 9, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [expect]
// a = "staged"
// b = "staged"
// [bench]
// bytes = "10*n*n"
// flops = "n*n*n"
// ```
__global__ void tri_product(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k <= row; k++)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}
