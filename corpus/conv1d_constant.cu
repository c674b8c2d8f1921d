// One-dimensional convolution whose mask is in constant memory; the signal is staged, the mask is not
// touched.
// ```toml
// kernel = "conv1d_constant"
// arg = [
//   { name = "in", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// global = [
//   { name = "mask", type = "f32", count = "31", fill = "uniform(-1,1)" },
// ]
// [sizes]
// n = { small = [500, 37, 1, 0], large = 16777216 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// in = "staged"
// mask = "ConstantMemory"
// out = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "62*n"
// ```
#define TAPS 31

__constant__ float mask[TAPS];

__global__ void conv1d_constant(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    int first = i - TAPS / 2;
    for (int j = 0; j < TAPS; j++)
        if (first + j >= 0 && first + j < n)
            sum += in[first + j] * mask[j];
    out[i] = sum;
}
