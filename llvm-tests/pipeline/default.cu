// Without options the matrix product is staged, for it is sure to gain, and a window of three is not.
// The annotation narrows the block shape that is served, and with it the tiles.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 --cuda-device-only -S %s -o %t.ptx -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// CHECK-DAG: remark: staged 'arg0' in product: 36864 bytes
// CHECK-DAG: remark: staged 'arg1' in product
// CHECK-DAG: remark: not staged: 'arg0' in window: no sure gain (NotProfitable)
// CHECK-DAG: remark: staged 'arg0' in small: 18432 bytes
#define PRODUCT \
  int row = blockIdx.y * blockDim.y + threadIdx.y; \
  int col = blockIdx.x * blockDim.x + threadIdx.x; \
  if (row < n && col < n) { \
    float sum = 0; \
    for (int k = 0; k < n; k++) \
      sum += a[row * n + k] * b[k * n + col]; \
    c[row * n + col] = sum; \
  }
__global__ void product(const float *a, const float *b, float *c, int n) { PRODUCT }
__attribute__((annotate("mesi.block=16,16,1"))) __global__ void small(const float *a, const float *b, float *c, int n) { PRODUCT }
__global__ void window(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + x[i + 1] + x[i + 2];
}
