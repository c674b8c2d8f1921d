// The sum of each block's part of an array, by the grid's size, joined in dynamic shared memory.
// ```toml
// kernel = "dynamic_reduction"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "sums", type = "f32", count = "gx", fill = "zero", output = true },
//   { name = "n", type = "u64", value = "n" },
// ]
// [sizes]
// n = { small = [1000, 64, 1, 0, 5003], large = 67108864 }
// gx = { small = [3, 1, 2, 1, 2], large = 264 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [128, 1, 1]]
// grid = ["gx", "1", "1"]
// shared = "4*bx"
// [expect]
// [bench]
// bytes = "4*n"
// ```
__global__ void dynamic_reduction(const float *x, float *sums, size_t n)
{
    extern __shared__ float part[];
    float s = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        s += x[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < d)
            part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}
