// A value of a loop that is over, used without a phi behind it: the loop's iteration number is gone, so a guard made of it is opaque,
// a loop as long as it has no count, and an address with a clamp of it is not affine.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-affine;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
#define ROW                                                                                                          \
  int row = blockIdx.x * blockDim.x + threadIdx.x;                                                                   \
  if (row >= m)                                                                                                      \
    return;
// CHECK-LABEL: affine of _Z5guardPKfS0_Pfii
// CHECK: access1: array1 + 1024*tid.x
// CHECK: under {{node[0-9]+}}: opaque
__global__ void guard(const float *a, const float *x, float *y, int m, int e) {
  ROW
  float sum = 0;
  int k = 0;
  do {
    sum += x[k];
    k += 3;
  } while (k < e);
  if (k < 60)
    for (int j = 0; j < e; j++)
      sum += a[row * 256 + j] * x[j];
  y[row] = sum;
}
// CHECK-LABEL: affine of _Z6lengthPKfS0_Pfii
// CHECK: loop1: no trip count (Unknown)
__global__ void length(const float *a, const float *x, float *y, int m, int e) {
  ROW
  float sum = 0;
  int k = 0;
  do {
    sum += x[k];
    k += 3;
  } while (k < e);
  for (int j = 0; j < 200 - k; j++)
    sum += a[row * 256 + j] * x[j];
  y[row] = sum;
}
// CHECK-LABEL: affine of _Z5clampPKfS0_Pfii
// CHECK: clamp0 = min(tid.x + 3*iter(loop0) + ctaid.x*ntid.x, s0)
// CHECK: access1: array1, not affine (Index)
__global__ void clamp(const float *a, const float *x, float *y, int m, int e) {
  ROW
  float sum = 0;
  int k = 0, q;
  do {
    q = min(k + row, e);
    sum += x[q];
    k += 3;
  } while (k < e);
  for (int j = 0; j < e; j++)
    sum += a[q + j] * x[j];
  y[row] = sum;
}
