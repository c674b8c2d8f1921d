// Two kernels, one a template, in several streams; the sums go to a file too.
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

namespace filter {
// Each output is a weighted sum over a window of the input.
template <typename T> __global__ void window(const T *in, const T *weights, T *out, int n, int radius)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= radius && i < n - radius) {
        T sum = 0;
        for (int k = -radius; k <= radius; k++)
            sum += in[i + k] * weights[k + radius];
        out[i] = sum;
    }
}
}

// One row per thread: the loads of a warp are far apart.
__global__ void row_sums(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int k = 0; k < columns; k++)
            sum += in[row * columns + k];
        out[row] = sum;
    }
}

int main()
{
    const int streams = 4, columns = 256, rows = 4096, n = rows * columns, radius = 8;
    std::vector<float> in(n), weights(2 * radius + 1, 0.25f);
    for (int i = 0; i < n; i++)
        in[i] = i % 13 - 6;
    float *din, *dweights, *dout[streams], *dsums[streams];
    CHECK(cudaMalloc(&din, n * sizeof(float)));
    CHECK(cudaMalloc(&dweights, weights.size() * sizeof(float)));
    CHECK(cudaMemcpy(din, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dweights, weights.data(), weights.size() * sizeof(float), cudaMemcpyHostToDevice));
    cudaStream_t stream[streams];
    for (int s = 0; s < streams; s++) {
        CHECK(cudaStreamCreate(&stream[s]));
        CHECK(cudaMalloc(&dout[s], n * sizeof(float)));
        CHECK(cudaMalloc(&dsums[s], rows * sizeof(float)));
        CHECK(cudaMemset(dout[s], 0, n * sizeof(float)));
    }
    for (int repeat = 0; repeat < 10; repeat++)
        for (int s = 0; s < streams; s++) {
            filter::window<float><<<(n + 255) / 256, 256, 0, stream[s]>>>(din, dweights, dout[s], n, radius - s);
            row_sums<<<(rows + 127) / 128, 128, 0, stream[s]>>>(dout[s], dsums[s], rows, columns);
        }
    CHECK(cudaDeviceSynchronize());
    FILE *file = fopen("sums.txt", "w");
    for (int s = 0; s < streams; s++) {
        std::vector<float> sums(rows);
        CHECK(cudaMemcpy(sums.data(), dsums[s], rows * sizeof(float), cudaMemcpyDeviceToHost));
        double total = 0;
        for (int r = 0; r < rows; r++)
            total += sums[r] * (r % 17);
        printf("stream %d: %.3f\n", s, total);
        if (file)
            fprintf(file, "%.6f\n", total);
    }
    if (file)
        fclose(file);
    return 0;
}
