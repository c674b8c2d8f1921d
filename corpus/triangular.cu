// Rows of a triangle: how long a thread walks depends on the thread.
// ```toml
// kernel = "triangular"
// arg = [
//   { name = "L", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [160, 65, 1, 0], large = 8192 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// y = "OnlyStored"
// L = "staged"
// x = "staged"
// [bench]
// bytes = "2*n*(n + 1)"
// flops = "n*(n + 1)"
// ```
__global__ void triangular(const float *L, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (int j = 0; j <= i; j++)
            sum += L[i * n + j] * x[j];
        y[i] = sum;
    }
}
