// Matrix times vector by rows: strips of every row copied ahead and coalesced. Narrow blocks have
// room for wider strips and more tiles; all versions share one buffer.
#include "async.cuh"

template <int K, int STAGES, int MOST, int WIDTH>
__device__ __forceinline__ void walk(float *shared, const float *A, const float *x, float *y, int m, int n)
{
    constexpr int P = K + (WIDTH == 4 ? 4 : 1);
    float *tile = shared, *xs = shared + STAGES * MOST * P;
    int row0 = blockIdx.x * blockDim.x, t = threadIdx.x, rows = min((int)blockDim.x, m - row0);
    float sum = 0.0f;
    auto load = [&](int stage, int strip) INLINE {
        int k0 = strip * K;
        for (int q = t; q < rows * (K / WIDTH); q += blockDim.x) {
            int r = q / (K / WIDTH), e = q % (K / WIDTH) * WIDTH;
            if (k0 + e < n)
                copy_async<4 * WIDTH>(&tile[stage * MOST * P + r * P + e], &A[(row0 + r) * n + k0 + e]);
        }
        for (int e = t * WIDTH; e < K; e += blockDim.x * WIDTH)
            if (k0 + e < n)
                copy_async<4 * WIDTH>(&xs[stage * K + e], &x[k0 + e]);
    };
    stream<STAGES>((n + K - 1) / K, load, [&](int stage, int strip) INLINE {
        const float *mine = &tile[stage * MOST * P + t * P], *them = &xs[stage * K];
        if (t >= rows)
            return;
        if (strip * K + K <= n) {
#pragma unroll
            for (int e = 0; e < K; e++)
                sum += mine[e] * them[e];
        } else {
            for (int e = 0; e < n - strip * K; e++)
                sum += mine[e] * them[e];
        }
    });
    if (t < rows)
        y[row0 + t] = sum;
}

template <int WIDTH>
__device__ __forceinline__ void choose(float *shared, const float *A, const float *x, float *y, int m, int n)
{
    if (blockDim.x <= 64)
        walk<32, 4, 64, WIDTH>(shared, A, x, y, m, n);
    else if (blockDim.x <= 128)
        walk<16, 4, 128, WIDTH>(shared, A, x, y, m, n);
    else
        walk<8, 3, 256, WIDTH>(shared, A, x, y, m, n);
}

__global__ void __launch_bounds__(256) mv_row(const float *A, const float *x, float *y, int m, int n)
{
    __shared__ __align__(16) float shared[4 * 128 * 20 + 4 * 16];
    if (n % 4 == 0 && aligned16(A) && aligned16(x))
        choose<4>(shared, A, x, y, m, n);
    else
        choose<1>(shared, A, x, y, m, n);
}
