// Where loops stay as they are written, a loop's header may be the latch of the loop around it: the outer one is left as it is (it was lifted
// without end).
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -Oz -S -emit-llvm %s -o - -fpass-plugin=%mesi | %FileCheck %s
// CHECK: define {{.*}} @_Z5tiles
__global__ void tiles(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int b = 0; b < n; b += 8)
    for (int k = b; k < min(b + 8, n); k++)
      s += x[k];
  y[i] = s;
}
