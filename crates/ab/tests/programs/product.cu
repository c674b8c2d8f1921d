// A naive matrix product that checks itself and prints a checksum and its time.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                         \
    do {                                                                    \
        cudaError_t e = (call);                                             \
        if (e != cudaSuccess) {                                             \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));      \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

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

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = sizeof(float) * n * n;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    // Small whole numbers: every sum is exact, so the check needs no tolerance.
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 - 2;
    }
    float *da, *db, *dc;
    CHECK(cudaMalloc(&da, bytes));
    CHECK(cudaMalloc(&db, bytes));
    CHECK(cudaMalloc(&dc, bytes));
    CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
    product<<<grid, block>>>(da, db, dc, n);
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < 5; i++)
        product<<<grid, block>>>(da, db, dc, n);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaDeviceSynchronize());
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int r = 0; r < n; r += 37)
        for (int q = 0; q < n; q += 41) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[r * n + k] * b[k * n + q];
            wrong += sum != c[r * n + q];
        }
    double checksum = 0;
    for (int i = 0; i < n * n; i++)
        checksum += c[i] * (i % 11);
    printf("product of %d x %d: checksum %.1f, wrong %d\n", n, n, checksum, wrong);
    printf("time per product: %.4f ms\n", ms / 5);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    return wrong != 0;
}
