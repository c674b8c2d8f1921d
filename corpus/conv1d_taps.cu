// One-dimensional convolution over a padded row with a mask of run-time length, as image and signal libraries write it.
// ```toml
// kernel = "conv1d_taps"
// arg = [
//   { name = "x", type = "f32", count = "n+t", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "t", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "taps", type = "i32", value = "t" },
// ]
// alias = [
//   { arg = "y", of = "x", offset = "n+t" },
// ]
// [sizes]
// n = { small = [1000, 37, 1, 0], large = 16777216 }
// t = { small = [5, 19, 1, 0], large = 33 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// w = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "2*n*t"
// rows = [
//   { class = "large", blocks = [[256, 1, 1], [64, 1, 1]] },
//   { class = "large", at = { t = 16 }, blocks = [[256, 1, 1]] },
//   { class = "large", at = { t = 5 }, blocks = [[256, 1, 1]] },
//   { class = "large", at = { t = 9 }, blocks = [[256, 1, 1]] },
//   { class = "l2", at = { n = 1048576, t = 5 }, blocks = [[256, 1, 1]] },
//   { class = "l2", at = { n = 1048576, t = 3 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void conv1d_taps(const float *__restrict__ x, const float *__restrict__ w,
                            float *__restrict__ y, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.0f;
    for (int k = 0; k < taps; k++)
        s += x[i + k] * w[k];
    y[i] = s;
}
