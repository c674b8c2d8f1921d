// A hand-tiled product whose two tiles lie in dynamic shared memory, one after the other.
// ```toml
// kernel = "own_dynamic_product"
// arg = [
//   { name = "A", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "n*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [37, 16, 1, 0], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [5, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(n + by - 1) / by", "1"]
// shared = "8*bx*bx"
// [bench]
// bytes = "12*n*n"
// flops = "2*n*n*n"
// blas = { a = "A", b = "B", c = "C", m = "n", n = "n", k = "n" }
// ```
__global__ void own_dynamic_product(const float *A, const float *B, float *C, int n)
{
    extern __shared__ float tiles[];
    int t = blockDim.x, x = threadIdx.x, y = threadIdx.y;
    float *as = tiles, *bs = tiles + t * t;
    int col = blockIdx.x * t + x, row = blockIdx.y * t + y;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += t) {
        as[y * t + x] = row < n && k0 + x < n ? A[row * n + k0 + x] : 0.0f;
        bs[y * t + x] = col < n && k0 + y < n ? B[(k0 + y) * n + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < t; k++)
            sum += as[y * t + k] * bs[k * t + x];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = sum;
}
