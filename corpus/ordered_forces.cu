// A few bodies, each drawn by all that are near enough: three sums in order, and how many there are.
// ```toml
// kernel = "ordered_forces"
// arg = [
//   { name = "x", type = "f32", count = "m + n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "m + n", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "m + n", fill = "uniform(0,1)" },
//   { name = "f", type = "f32", count = "2*m", fill = "uniform(-1,1)", output = true },
//   { name = "near", type = "i32", count = "m", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "r", type = "f32", value = 1.5 },
// ]
// [sizes]
// m = { small = [37, 16, 1, 40, 5], large = 4096 }
// n = { small = [70, 63, 1, 0, 33], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(m + bx - 1) / bx", "1", "1"]
// [expect]
// f = "staged"
// near = "OnlyStored"
// [bench]
// bytes = "12*n"
// flops = "12*m*n"
// rows = [
//   { class = "large", at = { m = 1024, n = 1024 }, blocks = [[256, 1, 1]] },
//   { class = "large", at = { m = 4096, n = 4096 }, blocks = [[256, 1, 1], [64, 1, 1]] },
//   { class = "odd", at = { m = 20001, n = 20001 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void ordered_forces(const float *x, const float *y, const float *w, float *f, int *near, int m, int n, float r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    float fx = 0.0f, fy = 0.0f, xi = x[i], yi = y[i];
    int count = 0;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - xi, dy = y[j] - yi;
        float q = dx * dx + dy * dy + 0.01f;
        if (q < r) {
            float pull = w[j] / (q * q);
            fx += pull * dx;
            fy += pull * dy;
            count++;
        }
    }
    f[2 * i] += fx;
    f[2 * i + 1] += fy;
    near[i] = count;
}
