// Windows that skip what lies outside the array, of which the first and the last group of four blocks reach one
// element beyond it.
// ```toml
// kernel = "one_beyond"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "r", type = "i32", value = "r" },
// ]
// [sizes]
// n = { small = [768], large = 16777216 }
// r = { small = [1], large = 64 }
// [launch]
// blocks = [[64, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "n*(2*r + 1)"
// ```
__global__ void one_beyond(const float *__restrict__ x, float *__restrict__ y, int n, int r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int k = -r; k <= r; k++)
        if (i + k >= 0 && i + k < n)
            sum += x[i + k];
    y[i] = sum;
}
