// Three points of a line in a tile of its own, behind an early return: grids that cover it exactly merge blocks, others
// do not
// ```toml
// kernel = "own_stencil_early"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [4096, 256, 1280, 1000], large = 33554432 }
// [launch]
// blocks = [[256, 1, 1]]
// grid = ["(n + 255) / 256", "1", "1"]
// [expect]
// x = "OwnBarrier"
// y = "OnlyStored"
// [bench]
// bytes = "8*n"
// ```
#define R 2
#define B 256

__global__ void own_stencil_early(const float *x, float *y, int n)
{
    __shared__ float tile[B + R];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int t = threadIdx.x + R;
    tile[t] = x[i];
    if (threadIdx.x == 0)
        for (int k = 1; k <= R; k++)
            tile[R - k] = i >= k ? x[i - k] : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int k = -R; k <= 0; k++)
        sum += tile[t + k] * (0.1f * k + 1.0f);
    y[i] = sum;
}
