// What a list says is gathered and stored, by the blocks' own threads; half of it at a place that a float gives.
// ```toml
// kernel = "ahead_gathers"
// arg = [
//   { name = "o", type = "f32", count = "n*rows", fill = "zero", output = true },
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "list", type = "i32", count = "n", fill = "index(n)" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "s", type = "f32", value = 0.5 },
//   { name = "rows", type = "i32", value = "rows" },
// ]
// [sizes]
// n = { small = [1000, 77, 1], large = 40000 }
// rows = { small = [3, 2, 1], large = 64 }
// [launch]
// blocks = [[64, 1, 1], [256, 1, 1]]
// grid = ["rows", "1", "1"]
// [bench]
// bytes = "4*n*rows"
// flops = "2*n*rows"
// ```
__global__ void ahead_gathers(float *__restrict__ o, const float *__restrict__ x, const int *__restrict__ list, int n,
                              float s, int rows)
{
    if (rows < 1)
        return;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        o[(size_t)blockIdx.x * n + i] = x[list[i]] * s + x[(int)(i * s)];
}
