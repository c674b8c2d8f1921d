// Softmax by rows: three walks over each row through tiles copied ahead, results through a tile of
// their own, so that loads and stores are coalesced.
#include "async.cuh"

template <int K, int STAGES, int MOST, int WIDTH>
__device__ __forceinline__ void walk(float *shared, const float *src, float *dst, int m, int n)
{
    constexpr int P = K + (WIDTH == 4 ? 4 : 1);
    float *tile = shared, *out = shared + STAGES * MOST * P;
    int row0 = blockIdx.x * blockDim.x, t = threadIdx.x, rows = min((int)blockDim.x, m - row0);
    auto load = [&](int stage, int strip) INLINE {
        for (int q = t; q < rows * (K / WIDTH); q += blockDim.x) {
            int r = q / (K / WIDTH), e = q % (K / WIDTH) * WIDTH, j = strip * K + e;
            if (j < n)
                copy_async<4 * WIDTH>(&tile[stage * MOST * P + r * P + e], &src[(row0 + r) * n + j]);
        }
    };
    auto pass = [&](auto element, auto after) INLINE {
        stream<STAGES>((n + K - 1) / K, load, [&](int stage, int strip) INLINE {
            const float *mine = &tile[stage * MOST * P + t * P];
            int count = min(K, n - strip * K);
            if (t < rows) {
                if (count == K) {
#pragma unroll
                    for (int e = 0; e < K; e++)
                        element(mine[e], e);
                } else {
                    for (int e = 0; e < count; e++)
                        element(mine[e], e);
                }
            }
            after(strip, count);
        });
    };
    auto nothing = [](int, int) INLINE {};
    float top = t < rows ? src[(row0 + t) * n] : 0.0f, sum = 0.0f;
    pass([&](float v, int) INLINE { top = fmaxf(top, v); }, nothing);
    pass([&](float v, int) INLINE { sum += expf(v - top); }, nothing);
    pass([&](float v, int e) INLINE { out[t * P + e] = expf(v - top) / sum; },
         [&](int strip, int count) INLINE {
             __syncthreads();
             for (int q = t; q < rows * (K / WIDTH); q += blockDim.x) {
                 int r = q / (K / WIDTH), e = q % (K / WIDTH) * WIDTH;
                 if (e >= count)
                     continue;
                 float *to = &dst[(row0 + r) * n + strip * K + e];
                 if constexpr (WIDTH == 4)
                     *(float4 *)to = *(float4 *)&out[r * P + e];
                 else
                     *to = out[r * P + e];
             }
         });
}

template <int WIDTH> __device__ __forceinline__ void choose(float *shared, const float *src, float *dst, int m, int n)
{
    if (blockDim.x <= 64)
        walk<16, 3, 64, WIDTH>(shared, src, dst, m, n);
    else
        walk<8, 2, 256, WIDTH>(shared, src, dst, m, n);
}

__global__ void __launch_bounds__(256) softmax_rows(const float *src, float *dst, int rows, int n)
{
    __shared__ __align__(16) float shared[3 * 256 * 12];
    if (n == 0)
        return;
    if (n % 4 == 0 && aligned16(src) && aligned16(dst))
        choose<4>(shared, src, dst, rows, n);
    else
        choose<1>(shared, src, dst, rows, n);
}
