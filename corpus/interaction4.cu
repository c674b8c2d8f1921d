// Four arrays shared by all threads, one pass.
// ```toml
// kernel = "interaction4"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "z", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "m", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [200, 65, 1, 0], large = 32768 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "staged"
// z = "staged"
// m = "staged"
// out = "OnlyStored"
// [bench]
// bytes = "20*n"
// flops = "10*n*n"
// ```
__global__ void interaction4(const float *__restrict__ x, const float *__restrict__ y,
                             const float *__restrict__ z, const float *__restrict__ m,
                             float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        sum += m[j] * (dx * dx + dy * dy + dz * dz);
    }
    out[i] = sum;
}
