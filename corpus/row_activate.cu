// Rows with a gate behind them, in place of the first half of each: no restrict, numbers without a sign.
// ```toml
// kernel = "row_activate"
// arg = [
//   { name = "x", type = "f32", count = "rows*2*n + 8", fill = "uniform(-1,1)", output = true },
//   { name = "bias", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "n", type = "u32", value = "n" },
//   { name = "skip", type = "u32", value = "skip" },
// ]
// [sizes]
// rows = { small = [4, 3, 1, 2], large = 16384 }
// n = { small = [148, 75, 1, 0], large = 768 }
// skip = { small = [0, 3, 1, 2], large = 0 }
// [launch]
// blocks = [[256, 1, 1], [1024, 1, 1], [17, 1, 1]]
// grid = ["rows", "1", "1"]
// [bench]
// bytes = "12*rows*n"
// flops = "4*rows*n"
// rows = [
//   { class = "large", at = { rows = 4096, n = 4096 } },
//   { class = "odd", at = { rows = 4096, n = 4096, skip = 1 } },
// ]
// ```
__global__ void row_activate(float *x, const float *bias, unsigned n, unsigned skip)
{
    float *row = x + skip + blockIdx.x * 2 * n;
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        float v = row[i] + bias[i];
        row[i] = v / (1 + fabsf(v)) * row[n + i];
    }
}
