// Nearest centre: the block's points and all centres in shared memory, loaded coalesced.
#include "async.cuh"

#define ROOM 12000

template <class Features>
__device__ __forceinline__ int nearest_of(const float *mine, const float *centres, int count, Features features)
{
    float best = 3.4e38f;
    int at = 0;
    for (int c = 0; c < count; c++) {
        float d2 = 0.0f;
#pragma unroll
        for (int f = 0; f < features(); f++) {
            float d = mine[f] - centres[c * features() + f];
            d2 += d * d;
        }
        if (d2 < best) {
            best = d2;
            at = c;
        }
    }
    return at;
}

__global__ void kmeans(const float *points, const float *centres, int *nearest, int n, int centre_count, int features)
{
    __shared__ float shared[ROOM];
    int i0 = blockIdx.x * blockDim.x, t = threadIdx.x, i = i0 + t, pitch = features + 1;
    auto any = [=] { return features; };
    if ((int)blockDim.x * pitch + centre_count * features > ROOM) {
        if (i < n)
            nearest[i] = nearest_of(points + (long long)i * features, centres, centre_count, any);
        return;
    }
    float *mine = shared, *them = shared + blockDim.x * pitch;
    int rows = min((int)blockDim.x, n - i0);
    for (int q = t; q < rows * features; q += blockDim.x)
        copy_async<4>(&mine[q / features * pitch + q % features], &points[i0 * features + q]);
    for (int q = t; q < centre_count * features; q += blockDim.x)
        copy_async<4>(&them[q], &centres[q]);
    commit();
    wait<0>();
    __syncthreads();
    if (i >= n)
        return;
    if (features == 32)
        nearest[i] = nearest_of(mine + t * pitch, them, centre_count, [] { return 32; });
    else
        nearest[i] = nearest_of(mine + t * pitch, them, centre_count, any);
}
