// A grid-stride loop around a short window, dealt out to threads.
// ```toml
// kernel = "grid_stride"
// arg = [
//   { name = "x", type = "f32", count = "n+2", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [1000, 65, 1, 0], large = 67108864 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + 4*bx - 1) / (4*bx)", "1", "1"]
// [expect]
// x = "staged"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// flops = "2*n"
// ```
__global__ void grid_stride(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] + x[i + 1] + x[i + 2];
}
