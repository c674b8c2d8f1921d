// Kernels of known register need, for the estimate of src/kernel/pressure.rs: many sums at once
// and many addresses that fold.
#define SUMS(NAME, T, R, C)                                                                        \
    __global__ void NAME(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c, int n) \
    {                                                                                              \
        int x = (blockIdx.x * blockDim.x + threadIdx.x) * C;                                       \
        int y = (blockIdx.y * blockDim.y + threadIdx.y) * R;                                       \
        T sum[R][C] = {};                                                                          \
        for (int k = 0; k < n; k++) {                                                              \
            T p[R], q[C];                                                                          \
            for (int i = 0; i < R; i++)                                                            \
                p[i] = a[(y + i) * n + k];                                                         \
            for (int j = 0; j < C; j++)                                                            \
                q[j] = b[k * n + x + j];                                                           \
            for (int i = 0; i < R; i++)                                                            \
                for (int j = 0; j < C; j++)                                                        \
                    sum[i][j] += p[i] * q[j];                                                      \
        }                                                                                          \
        for (int i = 0; i < R; i++)                                                                \
            for (int j = 0; j < C; j++)                                                            \
                c[(y + i) * n + x + j] = sum[i][j];                                                \
    }
SUMS(sums2x2, float, 2, 2)
SUMS(sums4x4, float, 4, 4)
SUMS(sums4x8, float, 4, 8)
SUMS(sums8x8, float, 8, 8)
SUMS(doubles2x4, double, 2, 4)
SUMS(doubles4x4, double, 4, 4)

// An eighth-order wave step in the manner of finite-difference codes: every neighbour's index is
// written out, with the strides as arguments.
#define AT(X, Y, Z) ((((Z) * ny) + (Y)) * nx + (X))
__global__ void wave8(const float *now, const float *before, const float *speed, float *next,
                      const float *c, int nx, int ny, int nz)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 4 || y < 4 || z < 4 || x >= nx - 4 || y >= ny - 4 || z >= nz - 4)
        return;
    float sum = c[0] * now[AT(x, y, z)];
#define RING(R)                                                                                    \
    sum += c[R] * (now[AT(x - R, y, z)] + now[AT(x + R, y, z)] + now[AT(x, y - R, z)] +            \
                   now[AT(x, y + R, z)] + now[AT(x, y, z - R)] + now[AT(x, y, z + R)]);
    RING(1)
    RING(2)
    RING(3)
    RING(4)
    next[AT(x, y, z)] = 2.0f * now[AT(x, y, z)] - before[AT(x, y, z)] + sum * speed[AT(x, y, z)];
}
