// A layer of a network: rows of x by rows of weights, where threadIdx.x walks the rows of x, and sums begin with a bias for each column, or with 0 where there is none.
// ```toml
// kernel = "mm_layer"
// arg = [
//   { name = "out", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "x", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "weight", type = "f32", count = "n*k", fill = "uniform(-1,1)" },
//   { name = "bias", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
//   { name = "has_bias", type = "i32", value = "some" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 130, 5], large = 2048 }
// n = { small = [29, 16, 1, 66, 0], large = 2048 }
// k = { small = [53, 64, 1, 16, 3], large = 2048 }
// some = { small = [1, 0, 1, 1, 1], large = 1 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(m + bx - 1) / bx", "(n + by - 1) / by", "1"]
// [bench]
// bytes = "4*(m*k + k*n + m*n + n)"
// flops = "2*m*n*k"
// rows = [
//   { class = "large", blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void mm_layer(float *out, const float *x, const float *weight, const float *bias, int m, int n, int k, int has_bias)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = has_bias ? bias[col] : 0.0f;
        const float *w = weight + col * k;
        for (int i = 0; i < k; i++)
            sum += x[row * k + i] * w[i];
        out[row * n + col] = sum;
    }
}
