// A linear layer whose weights lie turned, and whose blocks have the columns along y: the row is the block's
// number along x, and the sum begins with the bias.
// ```toml
// kernel = "linear_turned"
// arg = [
//   { name = "x", type = "f32", count = "m*k", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "n*k", fill = "uniform(-1,1)" },
//   { name = "bias", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "u32", value = "m" },
//   { name = "n", type = "u32", value = "n" },
//   { name = "k", type = "u32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 130, 5], large = 4096 }
// n = { small = [70, 32, 1, 129, 33], large = 4096 }
// k = { small = [53, 64, 1, 16, 0], large = 4096 }
// [launch]
// blocks = [[1, 256, 1], [1, 32, 1], [1, 33, 1]]
// grid = ["m", "(n + by - 1) / by", "1"]
// [expect]
// y = "OnlyStored"
// [bench]
// bytes = "4*(m*k + k*n + m*n + n)"
// flops = "2*m*n*k"
// ```
__global__ void linear_turned(const float *__restrict__ x, const float *__restrict__ w, const float *__restrict__ bias,
                              float *__restrict__ y, unsigned m, unsigned n, unsigned k)
{
    unsigned row = blockIdx.x;
    unsigned col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = bias[col];
        for (unsigned i = 0; i < k; i++)
            sum += x[row * k + i] * w[col * k + i];
        y[row * n + col] = sum;
    }
}
