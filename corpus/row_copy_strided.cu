// Reads a row per thread and stores it scaled to another row: loads and stores are both uncoalesced.
// ```toml
// kernel = "row_copy_strided"
// arg = [
//   { name = "in", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [200, 65, 1, 0], large = 65536 }
// n = { small = [37, 32, 3, 1], large = 512 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// in = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "8*m*n"
// flops = "m*n"
// ```
__global__ void row_copy_strided(const float *in, float *out, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m)
        for (int j = 0; j < n; j++)
            out[i * n + j] = 2.0f * in[i * n + j];
}
