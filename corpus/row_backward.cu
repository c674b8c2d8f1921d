// Row sums taken from the last element to the first.
// ```toml
// kernel = "row_backward"
// arg = [
//   { name = "x", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [300, 65, 1, 0], large = 16384 }
// n = { small = [37, 32, 3, 1], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*m*n"
// flops = "2*m*n"
// ```
__global__ void row_backward(const float *x, float *y, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        float sum = 0.0f;
        for (int j = n - 1; j >= 0; j--)
            sum = 0.5f * sum + x[i * n + j];
        y[i] = sum;
    }
}
