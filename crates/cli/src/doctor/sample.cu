// mesi doctor's sample: a product of two matrices, checked against the host's.
#include <cstdio>
#include <vector>

__global__ void product(const float *a, const float *b, float *c, int n)
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
    const int n = 256;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        // Small whole numbers: every order of adding gives the same bits.
        a[i] = i % 7;
        b[i] = i % 5;
    }
    float *d[3];
    for (float *&p : d)
        cudaMalloc(&p, n * n * sizeof(float));
    cudaMemcpy(d[0], a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d[1], b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(d[0], d[1], d[2], n);
    cudaMemcpy(c.data(), d[2], n * n * sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    for (int i = 0; i < n * n; i++) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[i / n * n + k] * b[k * n + i % n];
        if (sum != c[i]) {
            printf("element %d is %g, not %g\n", i, c[i], sum);
            return 1;
        }
    }
    puts("the same");
}
