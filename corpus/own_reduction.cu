// A sum over each block in dynamic shared memory after a loop over a shared array.
// ```toml
// kernel = "own_reduction"
// arg = [
//   { name = "x", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "w", type = "f32", count = "t", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "n/32+1", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "taps", type = "i32", value = "t" },
// ]
// [sizes]
// n = { small = [700, 65, 1, 0], large = 16777216 }
// t = { small = [21, 32, 3, 0], large = 64 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [32, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// shared = "4*bx"
// [bench]
// bytes = "4*n"
// flops = "2*n*t"
// ```
__global__ void own_reduction(const float *x, const float *w, float *y, int n, int taps)
{
    extern __shared__ float partial[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (i < n)
        for (int k = 0; k < taps; k++)
            sum += x[i] * w[k];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        y[blockIdx.x] = partial[0];
}
