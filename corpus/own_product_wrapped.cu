// A product in tiles of its own of 16 rows, all of it behind a guard: its grid covers the rows exactly, and the host
// can tell
// ```toml
// kernel = "own_product_wrapped"
// arg = [
//   { name = "A", type = "f32", count = "256*m*m", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "256*m*m", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "256*m*m", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "16*m" },
// ]
// [sizes]
// m = { small = [4, 1, 7, 9], large = 128 }
// [launch]
// blocks = [[16, 16, 1]]
// grid = ["m", "m", "1"]
// [expect]
// C = "OnlyStored"
// A = "OwnBarrier"
// B = "OwnBarrier"
// [bench]
// bytes = "3072*m*m"
// flops = "8192*m*m*m"
// blas = { a = "A", b = "B", c = "C", m = "16*m", n = "16*m", k = "16*m" }
// ```
#define T 16

__global__ void own_product_wrapped(const float *A, const float *B, float *C, int n)
{
    __shared__ float as[T][T], bs[T][T];
    int row = blockIdx.y * T + threadIdx.y;
    int col = blockIdx.x * T + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int tile = 0; tile < n / T; tile++) {
            as[threadIdx.y][threadIdx.x] = A[row * n + tile * T + threadIdx.x];
            bs[threadIdx.y][threadIdx.x] = B[(tile * T + threadIdx.y) * n + col];
            __syncthreads();
            for (int k = 0; k < T; k++)
                sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
            __syncthreads();
        }
        C[row * n + col] = sum;
    }
}
