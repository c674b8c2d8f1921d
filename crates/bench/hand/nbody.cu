// Gravity: a block's worth of bodies at a time in shared memory.
__global__ void nbody(const float4 *pos, float4 *acc, int n)
{
    __shared__ float4 tile[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? pos[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    auto pull = [&](float4 p) {
        float dx = p.x - me.x, dy = p.y - me.y, dz = p.z - me.z;
        float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
        float inv = 1.0f / sqrtf(d2);
        float s = p.w * inv * inv * inv;
        ax += dx * s;
        ay += dy * s;
        az += dz * s;
    };
    for (int j0 = 0; j0 < n; j0 += blockDim.x) {
        int j = j0 + threadIdx.x;
        if (j < n)
            tile[threadIdx.x] = pos[j];
        __syncthreads();
        int count = min((int)blockDim.x, n - j0);
#pragma unroll 8
        for (int b = 0; b < count; b++)
            pull(tile[b]);
        __syncthreads();
    }
    if (i < n)
        acc[i] = make_float4(ax, ay, az, 0.0f);
}
