// Scales rows by what stands in a vector: a thread for each row, in numbers that may wrap.
// ```toml
// kernel = "row_scale_unsigned"
// arg = [
//   { name = "x", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "s", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "m", type = "u32", value = "m" },
//   { name = "n", type = "u32", value = "n" },
// ]
// [sizes]
// m = { small = [100, 65, 3, 1], large = 384 }
// n = { small = [74, 33, 16, 1], large = 65536 }
// [launch]
// blocks = [[32, 1, 1], [256, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "8*m*n"
// flops = "m*n"
// ```
__global__ void row_scale_unsigned(const float *x, const float *s, float *y, unsigned m, unsigned n)
{
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m)
        for (unsigned j = 0; j < n; j++)
            y[row * n + j] = s[j] * x[row * n + j];
}
