// Prints what differs from build to build where the compiler defines a macro, and only then:
// -DWRONG=1 adds one to the checksum. It stands for a build that computes something else.
#include <cstdio>

#ifndef WRONG
#define WRONG 0
#endif

__global__ void fill(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += i;
}

int main()
{
    const int n = 1000;
    int *out = nullptr, host[n] = {};
    cudaError_t error = cudaMalloc(&out, sizeof host);
    if (error == cudaSuccess)
        error = cudaMemset(out, 0, sizeof host);
    fill<<<(n + 127) / 128, 128>>>(out, n);
    if (error == cudaSuccess)
        error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    long sum = WRONG;
    for (int i = 0; i < n; i++)
        sum += host[i];
    printf("%s, checksum %ld, elapsed 0.%d s\n", cudaGetErrorString(error), sum, WRONG + 1);
    return error != cudaSuccess;
}
