// A product of a lower and an upper triangle, whose threads begin and end at places of their own: beside the diagonal each
// thread runs alone.
// ```toml
// kernel = "triangle"
// arg = [
//   { name = "c", type = "f32", count = "n*n", fill = "zero", output = true },
//   { name = "a", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "b", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [30, 11, 1], large = 2048 }
// [launch]
// blocks = [[4, 2, 1], [5, 3, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [bench]
// bytes = "12*n*n"
// flops = "n*n*n"
// ```
__global__ void triangle(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n)
        return;
    float sum = 1.0f;
    for (int k = col; k <= row; k++)
        sum += a[row * n + k] * b[k * n + col];
    for (int k = 0; k < n - row; k++)
        sum -= a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}
