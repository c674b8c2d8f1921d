// Five points: four blocks in y merged, a column of six values in registers, no shared memory.
#define LANES 4

__global__ void stencil5(const float *in, float *out, int w, int h)
{
    if (blockIdx.y % LANES)
        return;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y0 = blockIdx.y * blockDim.y + threadIdx.y * LANES;
    if (x <= 0 || x >= w - 1)
        return;
    float column[LANES + 2], left[LANES], right[LANES];
#pragma unroll
    for (int c = 0; c < LANES + 2; c++) {
        int y = y0 + c - 1;
        column[c] = y >= 0 && y < h ? in[y * w + x] : 0.0f;
    }
#pragma unroll
    for (int c = 0; c < LANES; c++)
        if (y0 + c < h) {
            left[c] = in[(y0 + c) * w + x - 1];
            right[c] = in[(y0 + c) * w + x + 1];
        }
#pragma unroll
    for (int c = 0; c < LANES; c++) {
        int y = y0 + c;
        if (y > 0 && y < h - 1)
            out[y * w + x] = 0.5f * column[c + 1] + 0.125f * (left[c] + right[c] + column[c] + column[c + 2]);
    }
}
