// A window sum followed by an exchange between the lanes of a warp.
// ```toml
// kernel = "warp_shuffle"
// arg = [
//   { name = "x", type = "f32", count = "n+t+1024", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "taps", type = "i32", value = "t" },
// ]
// [sizes]
// n = { small = [500, 64, 1, 0], large = 16777216 }
// t = { small = [13, 16, 3, 0], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [32, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// y = "OnlyStored"
// x = "staged"
// [bench]
// bytes = "8*n"
// flops = "n*t"
// ```
__global__ void warp_shuffle(const float *x, float *y, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < taps; k++)
        sum += x[i + k];
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    if (i < n)
        y[i] = sum;
}
