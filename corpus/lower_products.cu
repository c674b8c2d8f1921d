// The lower triangle of a product with the transpose, a thread per row: threads end at different times,
// and elements begin with what is there.
// ```toml
// kernel = "lower_products"
// arg = [
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "n*n", fill = "uniform(-1,1)", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "rows", type = "i32", value = "m" },
// ]
// [sizes]
// m = { small = [17, 40, 3, 0], large = 512 }
// n = { small = [70, 33, 1, 2], large = 2048 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// a = "staged"
// [bench]
// bytes = "4*m*n + 4*n*n"
// flops = "m*n*(n + 1)"
// ```
__global__ void lower_products(const float *__restrict__ a, float *__restrict__ c, int n, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < rows; k++)
                c[i * n + j] += a[k * n + i] * a[k * n + j];
}
