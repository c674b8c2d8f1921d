// A tiled product for each layer of the grid, of which those beyond the batch end at once.
// ```toml
// kernel = "own_layers"
// arg = [
//   { name = "A", type = "f32", count = "n*n*b", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "n*n*b", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "n*n*b", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
//   { name = "batch", type = "i32", value = "b" },
// ]
// [sizes]
// n = { small = [67, 16, 1], large = 512 }
// b = { small = [2, 1, 3], large = 32 }
// [launch]
// blocks = [[16, 16, 1]]
// grid = ["(n + 15) / 16", "(n + 15) / 16", "b + 1"]
// [expect]
// A = "OwnBarrier"
// B = "OwnBarrier"
// C = "OnlyStored"
// [bench]
// bytes = "12*n*n*b"
// flops = "2*n*n*n*b"
// ```
__global__ void own_layers(const float *A, const float *B, float *C, int n, int batch)
{
    __shared__ float a[16][16], b[16][16];
    int layer = blockIdx.z;
    if (layer >= batch)
        return;
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    A += (size_t)layer * n * n;
    B += (size_t)layer * n * n;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 16) {
        a[y][x] = row < n && k + x < n ? A[row * n + k + x] : 0.0f;
        b[y][x] = column < n && k + y < n ? B[(k + y) * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += a[y][i] * b[i][x];
        __syncthreads();
    }
    if (row < n && column < n)
        C[((size_t)layer * n + row) * n + column] = sum;
}
