// A window read through a volatile pointer.
// ```toml
// kernel = "volatile_window"
// arg = [
//   { name = "x", type = "f32", count = "n+t", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "taps", type = "i32", value = "t" },
// ]
// [sizes]
// n = { small = [500, 65, 1, 0], large = 4194304 }
// t = { small = [13, 16, 3, 0], large = 32 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "Volatile"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "n*t"
// ```
__global__ void volatile_window(const volatile float *x, float *y, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < taps; k++)
            sum += x[i + k];
        y[i] = sum;
    }
}
