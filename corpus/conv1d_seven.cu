// One-dimensional convolution with seven taps in constant memory and tests at the edges: the loop is unrolled, and what it
// reads lies in L1. Nothing is to be staged.
// ```toml
// kernel = "conv1d_seven"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// global = [
//   { name = "mask", type = "f32", count = "7", fill = "uniform(-1,1)" },
// ]
// [sizes]
// n = { small = [1000, 37, 1, 0], large = 16777216 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// mask = "ConstantMemory"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "14*n"
// ```
#define TAPS 7
__constant__ float mask[TAPS];
__global__ void conv1d_seven(const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0.0f;
    int start = i - TAPS / 2;
    for (int k = 0; k < TAPS; k++)
        if (start + k >= 0 && start + k < n)
            s += x[start + k] * mask[k];
    if (i < n) y[i] = s;
}
