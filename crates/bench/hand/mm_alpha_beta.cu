// Product with factors, summed in C: 4 x 4 blocks merged, sums in registers.
#include "product.cuh"

__global__ void __launch_bounds__(1024)
    mm_alpha_beta(float *a, float *b, float *c, float alpha, float beta, int m, int n, int k)
{
    auto init = [=](int row, int col) INLINE { return c[row * n + col] * beta; };
    auto step = [=](float sum, float x, float y) INLINE { return sum + alpha * x * y; };
    auto store = [=](int row, int col, float sum) INLINE { c[row * n + col] = sum; };
    if (product<float, 4, 16, 2, 32, 32, false>(a, b, m, n, k, init, step, store))
        return;
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < m && j < n) {
        c[i * n + j] *= beta;
        for (int p = 0; p < k; p++)
            c[i * n + j] += alpha * a[i * k + p] * b[p * n + j];
    }
}
