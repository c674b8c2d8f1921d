// Rows that are scaled in place or moved by a little, each in a strip of its own: what a row stores may be what it
// loads a little later.
// ```toml
// kernel = "pitched_rows"
// arg = [
//   { name = "to", type = "f32", count = "m*(n+40)", fill = "uniform(-1,1)", output = true },
//   { name = "from", type = "f32", count = "m*(n+40)", fill = "uniform(-1,1)" },
//   { name = "total", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "pitch", type = "i32", value = "n+40" },
// ]
// alias = [
//   { arg = "to", of = "from", offset = "0" },
//   { arg = "to", of = "from", offset = "1" },
//   { arg = "to", of = "from", offset = "33" },
//   { arg = "from", of = "to", offset = "1" },
//   { arg = "from", of = "to", offset = "40" },
// ]
// [sizes]
// m = { small = [40, 3, 1, 5], large = 8192 }
// n = { small = [70, 34, 1, 0], large = 2008 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [bench]
// bytes = "12*m*n"
// flops = "2*m*n"
// ```
__global__ void pitched_rows(float *to, const float *from, float *total, int m, int n, int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    const float *source = from + i * pitch;
    float *row = to + i * pitch;
    for (int k = 0; k < n; k++)
        row[k] = source[k] + 1.0f;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        float x = source[k] * 0.5f - 3.0f;
        sum = sum * 0.5f + x;
        row[k] = x;
    }
    total[i] = n > 0 ? sum + row[n - 1] : sum;
}
