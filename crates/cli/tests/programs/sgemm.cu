// A product as a beginner writes it: what the plug-in stages at any -O of the host's.
#include <cstdio>

__global__ void sgemm(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}

int main()
{
    float *p = nullptr;
    sgemm<<<dim3(4, 4), dim3(16, 16)>>>(p, p, p, 64);
    puts("launched");
}
