// What stands in the header of a loop tested there runs once more than the loop iterates, also where it does not iterate: no iteration's
// number says where that goes, so nothing may rest on it.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -Oz -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<Oz>,print<mesi-affine;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: affine of _Z4oncePfPKfS_S_ii
// CHECK: loop1: trip ceil((s0) / (1)), at least 0
// CHECK: access0: array0, not affine (Index)
// CHECK: access1: array1 + 1024*tid.x + 4*iter(loop1)
__global__ void once(float *a, const float *__restrict__ x, float *y, float *__restrict__ o, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float s = 1;
    for (int j = 0; j < 3; j++)
      for (int k = 0;; k++) {
        y[row * 256 + k] = s;
        if (k >= n)
          break;
        s += a[row * 256 + k] * x[k];
      }
    o[row] = s;
  }
}
