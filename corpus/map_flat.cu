// Flattened ids taken apart the wrong way round: neighbouring threads are a row apart. Unguarded but for the last block.
// ```toml
// kernel = "map_flat"
// arg = [
//   { name = "in", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5], large = 8192 }
// n = { small = [29, 16, 1, 0], large = 8192 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m*n + bx - 1) / bx", "1", "1"]
// [expect]
// out = "OnlyStored"
// [bench]
// bytes = "8*m*n"
// flops = "2*m*n"
// ```
__global__ void map_flat(const float *__restrict__ in, float *__restrict__ out, int m, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < m * n) {
        int row = id % m;
        int col = id / m;
        out[row * n + col] = 0.5f * in[row * n + col] + 1.0f;
    }
}
