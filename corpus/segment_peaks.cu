// Sums of each segment's samples above a level of the thread's own: a block has a segment, and reads a sample's weight where the sample is high enough.
// ```toml
// kernel = "segment_peaks"
// arg = [
//   { name = "sample", type = "f32", count = "s*n", fill = "uniform(0,1)" },
//   { name = "weight", type = "f32", count = "s*n", fill = "uniform(0,1)" },
//   { name = "y", type = "f32", count = "s*bx", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [100, 37, 1, 0, 64], large = 8192 }
// s = { small = [3, 7, 1, 2, 4], large = 1024 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["s", "1", "1"]
// [expect]
// sample = "staged"
// weight = "staged"
// [bench]
// bytes = "8*s*n + 4*s*bx"
// flops = "2*s*n*bx"
// ```
__global__ void segment_peaks(const float *sample, const float *weight, float *y, int n)
{
    int i = threadIdx.x, segment = blockIdx.x;
    float level = i / (float)blockDim.x, sum = 0;
    for (int k = 0; k < n; k++)
        if (sample[segment * n + k] > level)
            sum += weight[segment * n + k];
    y[segment * blockDim.x + i] = sum;
}
