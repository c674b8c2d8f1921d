// Seven-point weighted average whose loop of constant length is unrolled by the compiler.
// ```toml
// kernel = "mavg7_unrolled"
// arg = [
//   { name = "x", type = "f32", count = "n+6", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "7", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [1000, 37, 1, 0], large = 67108864 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// w = "staged"
// [bench]
// bytes = "8*n"
// flops = "14*n"
// ```
__global__ void mavg7_unrolled(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < 7; k++)
            sum += w[k] * x[i + k];
        y[i] = sum;
    }
}
