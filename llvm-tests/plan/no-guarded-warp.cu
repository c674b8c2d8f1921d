// An early return guards all that follows, so threads that ended would go on to the strips' barriers; a warp operation waits for those of its mask that
// have not ended.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: plan of _Z6no_endPKfPfii
// CHECK: OwnBarrier (access{{[0-9]+}} is a barrier or warp operation in the region)
__global__ void no_end(const float *a, float *sums, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  s += __shfl_sync(~0u, s, 0);
  for (int i = 0; i < n; i++)
    s += a[row * n + i] * s;
  sums[row] = s;
}
// CHECK-LABEL: plan of _Z8all_comePKfPfii
// CHECK: tile0: array0 a
__global__ void all_come(const float *a, float *sums, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  s += __shfl_sync(~0u, s, 0);
  sums[row] = s;
}
