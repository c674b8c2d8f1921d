// An original with long loops may take 64 registers; where the program says how many threads a block has, it keeps what
// ptxas makes of that.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -S -fpass-plugin=%mesi %s -o - | %FileCheck %s
// CHECK: .entry _Z4freePKfPfi$original(
// CHECK: .maxnreg 64
// CHECK: .entry _Z5boundPKfPfi$original(
// CHECK: .maxntid 256
// CHECK-NOT: .maxnreg
__global__ void free(const float *a, float *sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
__global__ void __launch_bounds__(256) bound(const float *a, float *sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
