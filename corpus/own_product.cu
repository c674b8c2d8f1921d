// A product in tiles of its own of 32 rows. The barriers are of a cooperative group's kind
// ```toml
// kernel = "own_product"
// arg = [
//   { name = "A", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "n*n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [64, 33, 96, 128], large = 2048 }
// [launch]
// blocks = [[32, 32, 1]]
// grid = ["(n + 31) / 32", "(n + 31) / 32", "1"]
// [expect]
// C = "OnlyStored"
// A = "OwnBarrier"
// B = "OwnBarrier"
// [bench]
// bytes = "12*n*n"
// flops = "2*n*n*n"
// blas = { a = "A", b = "B", c = "C", m = "n", n = "n", k = "n" }
// ```
#define T 32

__global__ void own_product(const float *A, const float *B, float *C, int n)
{
    __shared__ float as[T][T], bs[T][T];
    int col = blockIdx.x * T + threadIdx.x;
    int row = blockIdx.y * T + threadIdx.y;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += T) {
        as[threadIdx.y][threadIdx.x] = row < n && k0 + threadIdx.x < n ? A[row * n + k0 + threadIdx.x] : 0.0f;
        bs[threadIdx.y][threadIdx.x] = col < n && k0 + threadIdx.y < n ? B[(k0 + threadIdx.y) * n + col] : 0.0f;
        __nvvm_barrier_sync(0);
        for (int k = 0; k < T; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __nvvm_barrier_sync(0);
    }
    if (row < n && col < n)
        C[row * n + col] = sum;
}
