// Moving average with a run-time radius: each block reads its own range and a halo.
// ```toml
// kernel = "mavg"
// arg = [
//   { name = "x", type = "f32", count = "n+2*r", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "r", type = "i32", value = "r" },
// ]
// alias = [
//   { arg = "y", of = "x", offset = "n+2*r" },
// ]
// [sizes]
// n = { small = [1000, 37, 1, 0, 37, 3, 300], large = 16777216 }
// r = { small = [5, 3, 0, 1, -1, 6200, 150], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx + 1", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "n*(2*r + 1)"
// rows = [
//   { class = "large", blocks = [[256, 1, 1], [64, 1, 1]] },
//   { class = "large", at = { r = 16 }, blocks = [[256, 1, 1]] },
// ]
// ```
__global__ void mavg(const float *x, float *y, int n, int r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k <= 2 * r; k++)
            sum += x[i + k];
        y[i] = sum / (2 * r + 1);
    }
}
