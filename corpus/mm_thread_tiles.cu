// A product of which each thread works out 8 x 8 elements in an array of its own, as people write it by hand: the loops over the array are too long for clang to unroll.
// ```toml
// kernel = "mm_thread_tiles"
// arg = [
//   { name = "A", type = "f32", count = "8*m*4*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "8*n*4*k", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "64*m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "8*m" },
//   { name = "n", type = "i32", value = "8*n" },
//   { name = "k", type = "i32", value = "4*k" },
// ]
// [sizes]
// m = { small = [3, 16, 1, 5], large = 256 }
// n = { small = [7, 16, 1, 0], large = 256 }
// k = { small = [3, 4, 1, 2], large = 256 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1], [32, 32, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [bench]
// bytes = "4*(32*m*k + 32*k*n + 64*m*n)"
// flops = "2*64*4*m*n*k"
// rows = [
//   { class = "large", blocks = [[16, 16, 1]] },
// ]
// ```
__global__ void mm_thread_tiles(const float *A, const float *B, float *C, int m, int n, int k)
{
    int row = 8 * (blockIdx.y * blockDim.y + threadIdx.y);
    int col = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= m || col >= n)
        return;
    float sums[8][8] = {};
    for (int s = 0; s < k; s += 4) {
        float4 b[8];
        for (int j = 0; j < 8; j++)
            b[j] = *(const float4 *)(B + (col + j) * k + s);
        for (int i = 0; i < 8; i++) {
            float4 a = *(const float4 *)(A + (row + i) * k + s);
            for (int j = 0; j < 8; j++) {
                sums[i][j] += a.x * b[j].x;
                sums[i][j] += a.y * b[j].y;
                sums[i][j] += a.z * b[j].z;
                sums[i][j] += a.w * b[j].w;
            }
        }
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            C[(row + i) * n + col + j] = sums[i][j];
}
