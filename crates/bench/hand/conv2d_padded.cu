// Convolution 17 x 17: eight blocks in x merged, each thread eight neighbouring results, the window's
// row in registers, read from the tile four at a time.
#include "async.cuh"

#define SIDE 17
#define LANES 8
#define HALO (SIDE - 1)
#define ROOM (24 * (32 * LANES + HALO) + 8 * (16 * LANES + HALO))

__global__ void __launch_bounds__(256)
    conv2d_padded(const float *__restrict__ img, const float *__restrict__ mask, float *__restrict__ out, int w, int h,
                  int side)
{
    __shared__ __align__(16) float tile[ROOM];
    __shared__ float weights[SIDE * SIDE];
    int bx = blockDim.x, by = blockDim.y, pitch = w + side - 1;
    int width = bx * LANES + HALO, height = by + HALO;
    bool fills = (long long)gridDim.x * gridDim.y >= FILL * LANES;
    if (side != SIDE || width * height > ROOM || !fills) {
        int x = blockIdx.x * bx + threadIdx.x, y = blockIdx.y * by + threadIdx.y;
        if (x < w && y < h) {
            float sum = 0.0f;
            for (int dy = 0; dy < side; dy++)
                for (int dx = 0; dx < side; dx++)
                    sum += mask[dy * side + dx] * img[(y + dy) * pitch + x + dx];
            out[y * w + x] = sum;
        }
        return;
    }
    if (blockIdx.x % LANES)
        return;
    int x0 = blockIdx.x * bx, y0 = blockIdx.y * by, lin = threadIdx.y * bx + threadIdx.x;
    for (int q = lin; q < SIDE * SIDE; q += bx * by)
        weights[q] = mask[q];
    for (int q = lin; q < width * height; q += bx * by) {
        int r = q / width, c = q % width;
        if (x0 + c < pitch && y0 + r < h + HALO)
            tile[q] = img[(y0 + r) * pitch + x0 + c];
    }
    __syncthreads();
    float sum[LANES] = {};
    for (int dy = 0; dy < SIDE; dy++) {
        const float *line = &tile[(threadIdx.y + dy) * width + threadIdx.x * LANES];
        float window[LANES + HALO];
#pragma unroll
        for (int k = 0; k < LANES + HALO; k += 4) {
            float4 v = *(const float4 *)&line[k];
            window[k] = v.x;
            window[k + 1] = v.y;
            window[k + 2] = v.z;
            window[k + 3] = v.w;
        }
#pragma unroll
        for (int dx = 0; dx < SIDE; dx++) {
            float weight = weights[dy * SIDE + dx];
#pragma unroll
            for (int c = 0; c < LANES; c++)
                sum[c] += weight * window[dx + c];
        }
    }
    int x = x0 + threadIdx.x * LANES, y = y0 + threadIdx.y;
#pragma unroll
    for (int c = 0; c < LANES; c++)
        if (x + c < w && y < h)
            out[y * w + x + c] = sum[c];
}
