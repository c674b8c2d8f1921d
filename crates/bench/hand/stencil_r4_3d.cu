// Star of radius four in three dimensions: two blocks in z merged, the column in z in registers.
#define R 4
#define LANES 2

__global__ void stencil_r4_3d(const float *__restrict__ in, const float *__restrict__ coef, float *__restrict__ out,
                              int nx, int ny, int nz)
{
    if (blockIdx.z % LANES)
        return;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z0 = blockIdx.z * blockDim.z + threadIdx.z * LANES;
    if (x < R || y < R || x >= nx - R || y >= ny - R)
        return;
    int plane = nx * ny, c0 = z0 * plane + y * nx + x;
    float column[LANES + 2 * R];
#pragma unroll
    for (int k = 0; k < LANES + 2 * R; k++) {
        int z = z0 + k - R;
        column[k] = z >= 0 && z < nz ? in[c0 + (k - R) * plane] : 0.0f;
    }
#pragma unroll
    for (int lane = 0; lane < LANES; lane++) {
        int z = z0 + lane;
        if (z < R || z >= nz - R)
            continue;
        int c = c0 + lane * plane;
        float sum = coef[0] * column[lane + R];
#pragma unroll
        for (int r = 1; r <= R; r++)
            sum += coef[r] * (in[c - r] + in[c + r] + in[c - r * nx] + in[c + r * nx] + column[lane + R - r] +
                              column[lane + R + r]);
        out[c] = sum;
    }
}
