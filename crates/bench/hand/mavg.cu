// Moving average: four blocks merged, each thread four neighbouring results with its window in
// registers.
#include "async.cuh"

#define LANES 4
#define ROOM 8192

__global__ void mavg(const float *x, float *y, int n, int r)
{
    __shared__ float tile[ROOM];
    int span = blockDim.x * LANES + 2 * r;
    if (r < 0 || r > ROOM || span > ROOM || gridDim.x < FILL * LANES) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) {
            float sum = 0.0f;
            for (int k = 0; k <= 2 * r; k++)
                sum += x[i + k];
            y[i] = sum / (2 * r + 1);
        }
        return;
    }
    if (blockIdx.x % LANES)
        return;
    int first = blockIdx.x * blockDim.x;
    for (int t = threadIdx.x; t < span; t += blockDim.x)
        if (first + t < n + 2 * r)
            tile[t] = x[first + t];
    __syncthreads();
    int at = threadIdx.x * LANES;
    float window[LANES], sum[LANES] = {};
#pragma unroll
    for (int c = 0; c < LANES; c++)
        window[c] = tile[at + c];
#pragma unroll 8
    for (int k = 0; k <= 2 * r; k++) {
#pragma unroll
        for (int c = 0; c < LANES; c++)
            sum[c] += window[c];
#pragma unroll
        for (int c = 0; c + 1 < LANES; c++)
            window[c] = window[c + 1];
        if (k < 2 * r)
            window[LANES - 1] = tile[at + LANES + k];
    }
#pragma unroll
    for (int c = 0; c < LANES; c++)
        if (first + at + c < n)
            y[first + at + c] = sum[c] / (2 * r + 1);
}
