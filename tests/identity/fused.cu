// What is made of a sum behind loops that versions take away, with products of constants on both sides of the addition.
template <int A, int B>
__device__ void unrolled(const float *a, const float *b, float *c, int m, int n, int k)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    int i = 0;
    for (; i + 2 <= k; i += 2) {
        sum += a[row * k + i] * b[i * n + col];
        sum += a[row * k + i + 1] * b[(i + 1) * n + col];
    }
    for (; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum * A + c[row * n + col] * B;
}
__global__ void product_2_3(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    unrolled<2, 3>(a, b, c, m, n, k);
}
__global__ void product_5_4(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    unrolled<5, 4>(a, b, c, m, n, k);
}
__global__ void rows(const float *__restrict__ x, float *__restrict__ y, int m, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[row * n + k] * x[row * n + k];
    y[row] = sum * 2 + y[row] * 3;
}
__global__ void columns(const float *__restrict__ x, float *__restrict__ y, int m, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= n)
        return;
    float sum = 1;
    for (int k = 0; k < m; k++)
        sum += x[k * n + col];
    y[col] = y[col] * 7 - sum * 3;
}

// A triangle's product that is unrolled by hand: of one loop fewer ways lead to the sum that is scaled.
__global__ void triangle(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    long long col = blockIdx.x * blockDim.x + threadIdx.x;
    long long row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    long long i = (int)col < (int)k ? col : k;
    for (; i + 4 <= k; i += 4) {
        sum += a[row * k + i] * b[i * n + col];
        sum += a[row * k + i + 1] * b[(i + 1) * n + col];
        sum += a[row * k + i + 2] * b[(i + 2) * n + col];
        sum += a[row * k + i + 3] * b[(i + 3) * n + col];
    }
    for (; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum * 2 + c[row * n + col] * 3;
}
