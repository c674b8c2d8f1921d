// Each row by its mean and length, a block for each: sums by warps, then of warps, then a map over the row.
// ```toml
// kernel = "row_normalise"
// arg = [
//   { name = "o", type = "f32", count = "rows*n", fill = "zero", output = true },
//   { name = "a", type = "f32", count = "rows*n", fill = "uniform(-1,1)" },
//   { name = "weight", type = "f32", count = "n", fill = "uniform(-1,1)" },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// rows = { small = [4, 3, 1, 2], large = 4096 }
// n = { small = [276, 131, 1, 40], large = 4096 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [1024, 1, 1]]
// grid = ["rows", "1", "1"]
// [bench]
// bytes = "8*rows*n"
// flops = "8*rows*n"
// rows = [
//   { class = "grid", at = { rows = 64, n = 100000 } },
//   { class = "grid", at = { rows = 16384, n = 768 } },
// ]
// ```
__global__ void row_normalise(float *o, const float *a, const float *weight, int n)
{
    __shared__ float sums[32], squares[32];
    const float *row = a + (size_t)blockIdx.x * n;
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += row[i];
        square += row[i] * row[i];
    }
    for (int k = 16; k; k /= 2) {
        sum += __shfl_xor_sync(~0u, sum, k);
        square += __shfl_xor_sync(~0u, square, k);
    }
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = sum;
        squares[threadIdx.x / 32] = square;
    }
    __syncthreads();
    sum = 0, square = 0;
    for (int k = 0; k < blockDim.x / 32; k++) {
        sum += sums[k];
        square += squares[k];
    }
    float mean = sum / n, scale = 1 / (square / n + 1e-5f);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        o[(size_t)blockIdx.x * n + i] = (row[i] - mean) * scale * weight[i];
}
