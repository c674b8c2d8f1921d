// Reads through an index array: which element is not known before it is loaded.
// ```toml
// kernel = "gather"
// arg = [
//   { name = "index", type = "i32", count = "n*t", fill = "index(100)" },
//   { name = "x", type = "f32", count = "100", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "taps", type = "i32", value = "t" },
// ]
// [sizes]
// n = { small = [500, 65, 1, 0], large = 1048576 }
// t = { small = [75, 16, 3, 0], large = 32 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "NotAffine"
// y = "OnlyStored"
// [bench]
// bytes = "4*n*t + 4*n"
// flops = "n*t"
// ```
__global__ void gather(const int *index, const float *x, float *y, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < taps; k++)
            sum += x[index[k * n + i]];
        y[i] = sum;
    }
}
