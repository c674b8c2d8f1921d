// Three-point stencil that tests at each end whether there is a neighbour: three guards, one array.
// ```toml
// kernel = "stencil3_edges"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [600, 65, 1, 0], large = 16777216 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "2*n"
// ```
__global__ void stencil3_edges(const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = x[i];
        if (i > 0)
            sum += x[i - 1];
        if (i < n - 1)
            sum += x[i + 1];
        y[i] = sum;
    }
}
