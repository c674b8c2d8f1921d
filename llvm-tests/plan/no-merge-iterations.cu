// A loop that is longer in later blocks writes further than its leader says, so the facts of merged blocks do not tell what
// arrays are apart: they are not merged.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;force;merge=2x1x1;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: plan of _Z6longerPKfPfS1_ii
// CHECK-NEXT: no merge: ids along x are not used as the global id
// CHECK-LABEL: plan of _Z6alwaysPKfPfS1_ii
// CHECK-NEXT: merge 2x1x1 blocks
#define LOOPS(LENGTH)                                                                                                \
  int row = blockIdx.x * blockDim.x + threadIdx.x;                                                                   \
  float s = 0;                                                                                                       \
  for (int j = 0; j < n; j++) {                                                                                      \
    float v = x[row * (n + 1) + j];                                                                                  \
    s += v;                                                                                                          \
    for (int k = 0; k <= LENGTH; k++)                                                                                \
      y[k * d + row * (n + 1) + j + 1] = v * 0.5f + k;                                                               \
  }                                                                                                                  \
  o[row] = s;
__global__ void longer(const float *x, float *y, float *o, int n, int d) {
  LOOPS((int)blockIdx.x)
}
__global__ void always(const float *x, float *y, float *o, int n, int d) {
  LOOPS(d)
}
