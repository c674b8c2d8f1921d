// A row per thread, scaled: also in blocks whose threads differ in y, of which the kernel knows nothing, so that
// several do the same row.
// ```toml
// kernel = "layers"
// arg = [
//   { name = "in", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [70, 16, 1], large = 65536 }
// n = { small = [37, 32, 3], large = 512 }
// [launch]
// blocks = [[64, 1, 1], [16, 4, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// in = "staged"
// out = "staged"
// [bench]
// bytes = "8*m*n"
// flops = "m*n"
// ```
__global__ void layers(const float *in, float *out, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m)
        for (int j = 0; j < n; j++)
            out[i * n + j] = 2.0f * in[i * n + j];
}
