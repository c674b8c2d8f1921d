// Five-point moving average written out.
// ```toml
// kernel = "mavg5"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [1000, 37, 5, 1, 0], large = 67108864 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "5*n"
// ```
__global__ void mavg5(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 2 && i < n - 2)
        y[i] = 0.2f * (x[i - 2] + x[i - 1] + x[i] + x[i + 1] + x[i + 2]);
}
