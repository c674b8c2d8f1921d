// A linear layer whose row is the block's number along x, as grids may have more rows than 65,535; pieces of a row's
// columns lie along y.
// ```toml
// kernel = "linear_columns"
// arg = [
//   { name = "out", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "x", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "n*k", fill = "uniform(-1,1)" },
//   { name = "bias", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [32, 37, 1, 5], large = 4096 }
// n = { small = [64, 70, 3, 129], large = 3072 }
// k = { small = [48, 53, 64, 5], large = 1024 }
// [launch]
// blocks = [[128, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["m", "(n + bx - 1) / bx", "1"]
// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// ```
__global__ void linear_columns(float *out, const float *x, const float *w, const float *bias, int n, int k)
{
    int row = blockIdx.x;
    int col = blockIdx.y * blockDim.x + threadIdx.x;
    if (col >= n)
        return;
    float sum = bias[col];
    for (int i = 0; i < k; i++)
        sum += x[row * k + i] * w[col * k + i];
    out[row * n + col] = sum;
}
