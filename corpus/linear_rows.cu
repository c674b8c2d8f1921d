// A linear layer as it is written by hand: each block has a piece of one row, whose number is the block's, with a
// bias and an activation behind the sum.
// ```toml
// kernel = "linear_rows"
// arg = [
//   { name = "x", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "k*n", fill = "uniform(-1,1)" },
//   { name = "bias", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// alias = [
//   { arg = "y", of = "x", offset = "m*k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 130, 5], large = 4096 }
// n = { small = [70, 32, 1, 129, 33], large = 4096 }
// k = { small = [53, 64, 1, 16, 0], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [32, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "m", "1"]
// [expect]
// x = "staged"
// w = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "4*(m*k + k*n + m*n + n)"
// flops = "2*m*n*k"
// ```
__global__ void linear_rows(const float *x, const float *w, const float *bias, float *y, int m, int n, int k)
{
    int row = blockIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        sum += x[row * k + i] * w[i * n + col];
    sum += bias[col];
    y[row * n + col] = sum > 0.0f ? sum : 0.0f;
}
