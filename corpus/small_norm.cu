// A block of one warp for each row, whose threads exchange their sums.
// ```toml
// kernel = "small_norm"
// arg = [
//   { name = "o", type = "f32", count = "n*m", fill = "zero", output = true },
//   { name = "a", type = "f32", count = "n*m", fill = "uniform(-1,1)" },
//   { name = "weight", type = "f32", count = "m", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "m", type = "i32", value = "m" },
// ]
// [sizes]
// n = { small = [37, 3, 1], large = 16384 }
// m = { small = [70, 32, 5], large = 768 }
// [launch]
// blocks = [[32, 1, 1], [8, 4, 1]]
// grid = ["n", "1", "1"]
// [bench]
// bytes = "8*n*m"
// flops = "5*n*m"
// ```
__global__ void small_norm(float *o, const float *a, const float *weight, int n, int m)
{
    const float *row = a + (size_t)blockIdx.x * m;
    int lane = threadIdx.x + threadIdx.y * blockDim.x;
    float sum = 0;
    for (int i = lane; i < m; i += 32)
        sum += row[i];
    for (int k = 16; k; k /= 2)
        sum += __shfl_xor_sync(~0u, sum, k);
    float mean = sum / m, square = 0;
    for (int i = lane; i < m; i += 32)
        square += (row[i] - mean) * (row[i] - mean);
    for (int k = 16; k; k /= 2)
        square += __shfl_xor_sync(~0u, square, k);
    float scale = 1 / (square / m + 1e-5f);
    for (int i = lane; i < m; i += 32)
        o[(size_t)blockIdx.x * m + i] = weight[i] * (row[i] - mean) * scale;
}
