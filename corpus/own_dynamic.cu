// Sums over all points, which a block reads in tiles in dynamic shared memory: the same for all blocks.
// ```toml
// kernel = "own_dynamic"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [700, 256, 1, 0], large = 524288 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// shared = "4*bx"
// [bench]
// flops = "3*n*n"
// ```
__global__ void own_dynamic(const float *x, float *y, int n)
{
    extern __shared__ float tile[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float mine = i < n ? x[i] : 0.0f, sum = 0.0f;
    for (int first = 0; first < n; first += blockDim.x) {
        tile[t] = first + t < n ? x[first + t] : 0.0f;
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++)
            sum += (mine - tile[k]) * tile[k];
        __syncthreads();
    }
    if (i < n)
        y[i] = sum;
}
