// cp.async through the CUDA header's intrinsics, double buffered, with the edge filled with zeros.
#include <cuda_pipeline.h>
extern "C" __global__ void async(const float *x, float *y, int n) {
  __shared__ __align__(16) float tile[2][64];
  int t = threadIdx.x, strips = (n + 63) / 64;
  float sum = 0;
  for (int s = 0; s <= strips; s++) {
    if (s < strips) {
      int i = s * 64 + 4 * t;
      if (t < 16) {
        int left = n - i, fill = left >= 4 ? 0 : left <= 0 ? 16 : 16 - 4 * left;
        __pipeline_memcpy_async(&tile[s & 1][4 * t], &x[i < n ? i : 0], 16, fill);
      }
    }
    __pipeline_commit();
    if (s == 0) continue;
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int k = 0; k < 64; k++) sum += tile[(s - 1) & 1][k] * (float)(t + 1);
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  y[t] = sum;
}
