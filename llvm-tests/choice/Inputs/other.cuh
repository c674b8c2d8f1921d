// The other file of relocatable.cu, compiled as CUDA.
#include "rows.cuh"
namespace {
__global__ void mine(const float *a, float *sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 1;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
} // namespace
void other(float *p, int n) {
  rows<float><<<256, 256>>>(p, p + (1 << 28), n, 1024);
  mine<<<256, 256>>>(p, p + (1 << 28), n);
}
