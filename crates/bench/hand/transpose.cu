// Transpose through a tile: both sides coalesced, for any block shape up to 32 x 32.
__global__ void transpose(const float *in, float *out, int w, int h)
{
    __shared__ float tile[32 * 33];
    int bx = blockDim.x, by = blockDim.y, x0 = blockIdx.x * bx, y0 = blockIdx.y * by;
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (bx > 32 || by > 32) {
        if (x < w && y < h)
            out[x * h + y] = in[y * w + x];
        return;
    }
    if (x < w && y < h)
        tile[threadIdx.y * 33 + threadIdx.x] = in[y * w + x];
    __syncthreads();
    int q = threadIdx.y * bx + threadIdx.x, column = q / by, row = q % by;
    if (x0 + column < w && y0 + row < h)
        out[(x0 + column) * h + y0 + row] = tile[row * 33 + column];
}
