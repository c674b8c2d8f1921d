// Finite impulse response filter: a window of the signal times weights that all threads share.
// ```toml
// kernel = "fir"
// arg = [
//   { name = "x", type = "f32", count = "n+taps", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "taps", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "taps", type = "i32", value = "taps" },
// ]
// [sizes]
// n = { small = [1000, 37, 1, 0, 300], large = 16777216 }
// taps = { small = [5, 8, 1, 3, 150], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// w = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "2*n*taps"
// ```
__global__ void fir(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < taps; k++)
        sum += w[k] * x[i + k];
    y[i] = sum;
}
