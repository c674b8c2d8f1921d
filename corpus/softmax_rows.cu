// Softmax, a row per thread, three passes over the row; it may run in place.
// ```toml
// kernel = "softmax_rows"
// arg = [
//   { name = "src", type = "f32", count = "m*n", fill = "uniform(-4,4)" },
//   { name = "dst", type = "f32", count = "m*n", fill = "zero", output = true },
//   { name = "rows", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// alias = [
//   { arg = "dst", of = "src", offset = "0" },
//   { arg = "dst", of = "src", offset = "m*n" },
// ]
// [sizes]
// m = { small = [130, 65, 1, 0], large = 100000 }
// n = { small = [37, 16, 1, 3], large = 784 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// src = "staged"
// dst = "staged"
// [bench]
// bytes = "8*m*n"
// rows = [
//   { class = "large", blocks = [[256, 1, 1], [64, 1, 1]] },
// ]
// ```
__global__ void softmax_rows(const float *src, float *dst, int rows, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float top = src[row * n];
    for (int j = 1; j < n; j++)
        top = fmaxf(top, src[row * n + j]);
    float sum = 0.0f;
    for (int j = 0; j < n; j++)
        sum += expf(src[row * n + j] - top);
    for (int j = 0; j < n; j++)
        dst[row * n + j] = expf(src[row * n + j] - top) / sum;
}
