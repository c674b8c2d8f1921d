// Grids that stay as they are, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*interchanged" %t.remarks
// CHECK: yes{{.*}}: its grid is interchanged
#define BODY                                                                                                                                                   \
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)                                                                                                              \
    return;                                                                                                                                                    \
  int i = y * w + x;                                                                                                                                           \
  b[i] = a[i - 1] + a[i + 1] + a[i - w] + a[i + w]
extern "C" __global__ void yes(const float *a, float *b, int w, int h) {
  int x = blockIdx.y * blockDim.x + threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  BODY;
}
// Blocks lie along their threads' axis.
extern "C" __global__ void no_crossing(const float *a, float *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  BODY;
}
// One of two axes does.
extern "C" __global__ void no_both(const float *a, float *b, int w, int h) {
  int x = blockIdx.y * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  BODY;
}
// A layer's number is what a row would be.
extern "C" __global__ void no_layer(const float *a, float *b, int w, int h) {
  int x = blockIdx.y * blockDim.x + threadIdx.x, y = blockIdx.z * blockDim.y + threadIdx.y;
  BODY;
}
// Threads of a block wait for each other.
extern "C" __global__ void no_barrier(const float *a, float *b, int w, int h) {
  int x = blockIdx.y * blockDim.x + threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  __syncthreads();
  BODY;
}
