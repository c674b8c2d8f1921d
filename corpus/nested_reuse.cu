// Two loops, the tile of the inner one does not depend on the outer one.
// ```toml
// kernel = "nested_reuse"
// arg = [
//   { name = "x", type = "f32", count = "n+t", fill = "uniform(-1,1)" },
//   { name = "freq", type = "f32", count = "b", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "bands", type = "i32", value = "b" },
//   { name = "taps", type = "i32", value = "t" },
// ]
// [sizes]
// n = { small = [300, 65, 1, 0], large = 1048576 }
// b = { small = [5, 3, 1, 0], large = 16 }
// t = { small = [13, 16, 2, 1], large = 32 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// freq = "staged"
// [bench]
// bytes = "8*n"
// flops = "2*n*b*t"
// ```
__global__ void nested_reuse(const float *x, const float *freq, float *y, int n, int bands, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float total = 0.0f;
        for (int b = 0; b < bands; b++) {
            float sum = 0.0f;
            for (int t = 0; t < taps; t++)
                sum += x[i + t] * freq[b];
            total += sum * sum;
        }
        y[i] = total;
    }
}
