// A two-dimensional __device__ array as the shared operand of a product.
// ```toml
// kernel = "device_matrix"
// arg = [
//   { name = "a", type = "f32", count = "m*48", fill = "uniform(-1,1)" },
//   { name = "c", type = "f32", count = "m*48", fill = "zero", output = true },
//   { name = "rows", type = "i32", value = "m" },
// ]
// global = [
//   { name = "weights", type = "f32", count = "48*48", fill = "uniform(-1,1)" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 0], large = 131072 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(48 + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// a = "staged"
// weights = "staged"
// c = "OnlyStored"
// [bench]
// bytes = "8*48*m"
// flops = "2*48*48*m"
// ```
#define N 48

__device__ float weights[N][N];

__global__ void device_matrix(const float *a, float *c, int rows)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; k++)
            sum += a[row * N + k] * weights[k][col];
        c[row * N + col] = sum;
    }
}
