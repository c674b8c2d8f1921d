// Rows scaled and shifted: a row is its block's number, and threads follow one another along y.
// ```toml
// kernel = "map_blocks"
// arg = [
//   { name = "in", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "bias", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "u64", value = "m" },
//   { name = "n", type = "u64", value = "n" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5], large = 8192 }
// n = { small = [29, 16, 1, 0], large = 8192 }
// [launch]
// blocks = [[1, 256, 1], [1, 32, 1], [1, 33, 1]]
// grid = ["m", "(n + by - 1) / by", "1"]
// [expect]
// out = "OnlyStored"
// [bench]
// bytes = "8*m*n"
// flops = "2*m*n"
// ```
__global__ void map_blocks(const float *in, const float *bias, float *out, size_t m, size_t n)
{
    size_t row = blockIdx.x;
    size_t col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n)
        out[row * n + col] = 0.5f * in[row * n + col] + bias[col];
}
