// Forces between all particles but a particle itself, which a continue leaves out: coordinates in arrays of their own.
// ```toml
// kernel = "skip_self"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "m", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "f", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [300, 65, 2, 1, 0, 257], large = 32768 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1], [1, 1, 1]]
// grid = ["(n + bx - 1) / bx + 1", "1", "1"]
// [expect]
// x = "staged"
// y = "staged"
// m = "staged"
// f = "OnlyStored"
// [bench]
// bytes = "16*n"
// flops = "5*n*n"
// rows = [
//   { class = "large", at = { n = 32768 }, blocks = [[256, 1, 1], [64, 1, 1]] },
//   { class = "odd", at = { n = 20001 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void skip_self(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ m, float *__restrict__ f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    for (int j = 0; j < n; j++) {
        if (j == i)
            continue;
        float dx = x[j] - x[i], dy = y[j] - y[i];
        s += m[j] * dx + dy;
    }
    f[i] = s;
}
