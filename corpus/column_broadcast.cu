// One column of a matrix is shared by all threads: a strided broadcast, packed in the tile.
// ```toml
// kernel = "column_broadcast"
// arg = [
//   { name = "q", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "a", type = "f32", count = "m*n", fill = "uniform(-1,1)" },
//   { name = "r", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "rows", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "n/2" },
// ]
// [sizes]
// m = { small = [37, 64, 3, 0], large = 4096 }
// n = { small = [300, 65, 1, 2], large = 8192 }
// [launch]
// blocks = [[256, 1, 1], [64, 1, 1], [33, 1, 1]]
// grid = ["(n + bx - 1) / bx", "1", "1"]
// [expect]
// q = "staged"
// r = "OnlyStored"
// [bench]
// bytes = "4*m*n"
// flops = "2*m*n"
// ```
__global__ void column_broadcast(const float *q, const float *a, float *r, int rows, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) {
        float sum = 0.0f;
        for (int i = 0; i < rows; i++)
            sum += q[i * n + k] * a[i * n + j];
        r[j] = sum;
    }
}
