// A small transform of each row: the coefficients are used by every row, rows by every coefficient.
// ```toml
// kernel = "dft_rows"
// arg = [
//   { name = "in", type = "f32", count = "2*m*n", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "2*n*n", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "2*m*n", fill = "zero", output = true },
//   { name = "rows", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [21, 16, 1, 0], large = 2048 }
// n = { small = [37, 32, 3, 1], large = 1024 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// in = "staged"
// w = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "8*(2*m*n + n*n)"
// flops = "8*m*n*n"
// ```
__global__ void dft_rows(const float2 *in, const float2 *w, float2 *out, int rows, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (k >= n || row >= rows)
        return;
    float re = 0.0f, im = 0.0f;
    for (int j = 0; j < n; j++) {
        float2 v = in[row * n + j], c = w[j * n + k];
        re += v.x * c.x - v.y * c.y;
        im += v.x * c.y + v.y * c.x;
    }
    out[row * n + k] = make_float2(re, im);
}
