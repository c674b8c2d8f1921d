// Product of matrices of complex numbers, which helpers take and give by value: clang loads each as one integer.
// ```toml
// kernel = "complex_product"
// arg = [
//   { name = "A", type = "f32", count = "2*m*k", fill = "uniform(-1,1)" },
//   { name = "B", type = "f32", count = "2*k*n", fill = "uniform(-1,1)" },
//   { name = "C", type = "f32", count = "2*m*n", fill = "zero", output = true },
//   { name = "m", type = "i32", value = "m" },
//   { name = "n", type = "i32", value = "n" },
//   { name = "k", type = "i32", value = "k" },
// ]
// [sizes]
// m = { small = [37, 16, 1, 5], large = 2048 }
// n = { small = [29, 16, 1, 0], large = 2048 }
// k = { small = [53, 32, 0, 3], large = 2048 }
// [launch]
// blocks = [[16, 16, 1], [32, 8, 1], [7, 5, 1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// [expect]
// A = "staged"
// B = "staged"
// C = "OnlyStored"
// [bench]
// bytes = "8*(m*k + k*n + m*n)"
// flops = "8*m*n*k"
// ```
__device__ __forceinline__ float2 times(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__device__ __forceinline__ float2 plus(float2 a, float2 b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}

__global__ void complex_product(const float2 *A, const float2 *B, float2 *C, int m, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        float2 sum = make_float2(0, 0);
        for (int i = 0; i < k; i++)
            sum = plus(sum, times(A[row * k + i], B[i * n + col]));
        C[row * n + col] = sum;
    }
}
