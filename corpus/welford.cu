// Mean and variance of each row as they run, a block a row, joined by its first thread.
// ```toml
// kernel = "welford"
// arg = [
//   { name = "x", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "mean", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "variance", type = "f32", count = "m", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// m = { small = [3, 2, 1], large = 8192 }
// n = { small = [1000, 64, 0], large = 8192 }
// [launch]
// blocks = [[128, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["m", "1", "1"]
// [expect]
// x = "OwnBarrier"
// mean = "OnlyStored"
// variance = "OnlyStored"
// [bench]
// bytes = "4*m*n"
// ```
__global__ void welford(const float *__restrict__ x, float *__restrict__ mean, float *__restrict__ variance, int n)
{
    __shared__ float means[1024], squares[1024];
    float m = 0, s = 0;
    int count = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        count++;
        float v = x[blockIdx.x * n + i], d = v - m;
        m += d / count;
        s += d * (v - m);
    }
    means[threadIdx.x] = m;
    squares[threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < blockDim.x; i++) {
            m += means[i];
            s += squares[i];
        }
        mean[blockIdx.x] = m / blockDim.x;
        variance[blockIdx.x] = s;
    }
}
