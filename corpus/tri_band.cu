// Product of a lower and an upper triangle, whose threads begin and end at places of their own; the second loop counts
// down, and the third ends sooner the further down a row is.
// ```toml
// kernel = "tri_band"
// arg = [
//   { name = "c", type = "f32", count = "n*n", fill = "zero", output = true },
//   { name = "a", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "most", type = "i32", value = "(n + 1) / 2" },
// ]
// [sizes]
// n = { small = [37, 130, 64, 1], large = 1024 }
// [launch]
// blocks = [[32, 8, 1], [16, 16, 1], [5, 9, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [expect]
// a = "staged"
// b = "staged"
// [bench]
// bytes = "12*n*n"
// flops = "3*n*n*n"
// ```
__global__ void tri_band(float *c, const float *a, const float *b, int n, int most)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n)
        return;
    float sum = 0.0f;
    for (int k = col < most ? col : most; k <= row; k++)
        sum += a[row * n + k] * b[k * n + col];
    for (int k = n - 1; k > row; k--)
        sum += a[k * n + row] * b[k * n + col];
    for (int k = 0; k < n - row; k++)
        sum -= a[row * n + k] * b[(n - 1 - k) * n + col];
    c[row * n + col] = sum;
}
