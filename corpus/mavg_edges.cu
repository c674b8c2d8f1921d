// Moving average that skips what lies outside the array: the guard is inside the loop.
// ```toml
// kernel = "mavg_edges"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "r", type = "i32", value = "r" },
// ]
// [sizes]
// n = { small = [1000, 37, 1, 0], large = 16777216 }
// r = { small = [5, 8, 2, 1], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "n*(2*r + 1)"
// ```
__global__ void mavg_edges(const float *__restrict__ x, float *__restrict__ y, int n, int r)
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
