// Matrix times vector by columns: nothing is reused, copies ahead hide what too few warps cannot.
#include "async.cuh"

#define K 8
#define STAGES 4
#define MOST 256

__global__ void __launch_bounds__(MOST) mv_col(const float *A, const float *x, float *y, int m, int n)
{
    __shared__ __align__(16) float tile[STAGES][K][MOST];
    __shared__ __align__(16) float xs[STAGES][K];
    int col0 = blockIdx.x * blockDim.x, t = threadIdx.x, cols = blockDim.x;
    bool wide = n % 4 == 0 && cols % 4 == 0 && aligned16(A);
    float sum = 0.0f;
    auto load = [&](int stage, int strip) INLINE {
        int k0 = strip * K;
        if (wide) {
            for (int q = t; q < K * (cols / 4); q += cols) {
                int k = q / (cols / 4), c = q % (cols / 4) * 4;
                if (k0 + k < m && col0 + c < n)
                    copy_async<16>(&tile[stage][k][c], &A[(k0 + k) * n + col0 + c]);
            }
        } else {
            for (int k = 0; k < K; k++)
                if (k0 + k < m && col0 + t < n)
                    copy_async<4>(&tile[stage][k][t], &A[(k0 + k) * n + col0 + t]);
        }
        for (int k = t; k < K; k += cols)
            if (k0 + k < m)
                copy_async<4>(&xs[stage][k], &x[k0 + k]);
    };
    stream<STAGES>((m + K - 1) / K, load, [&](int stage, int strip) INLINE {
        if (col0 + t >= n)
            return;
        if (strip * K + K <= m) {
#pragma unroll
            for (int k = 0; k < K; k++)
                sum += tile[stage][k][t] * xs[stage][k];
        } else {
            for (int k = 0; k < m - strip * K; k++)
                sum += tile[stage][k][t] * xs[stage][k];
        }
    });
    if (col0 + t < n)
        y[col0 + t] = sum;
}
