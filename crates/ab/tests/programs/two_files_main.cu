// Separate compilation: the kernel calls a device function of the other file.
#include <cstdio>

extern __device__ float twice(float x);

__global__ void apply(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = twice(p[i]);
}

int main()
{
    float host[64], *p = nullptr;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&p, sizeof host);
    cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
    apply<<<1, 64>>>(p, 64);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s %g\n", cudaGetErrorString(cudaGetLastError()), host[63]);
    return 0;
}
