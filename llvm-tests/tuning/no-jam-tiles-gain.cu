// Three cells of each iteration's own for one that they have in common: two iterations, 8 of the inner loop at once,
// would want more registers than a thread has beside its addresses. With one of its own there are four.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: plan of _Z5three
// CHECK: not jammed: no sure gain
// CHECK: region0: node{{[0-9]+}} whole
#define ARGUMENTS const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ out, int n, int m, int d
__global__ void three(ARGUMENTS) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < d - 2; k++)
      s += (x[i * d + k] - w[j * d + k]) * w[j * d + k + 1] * w[j * d + k + 2];
    out[j * n + i] = s;
  }
}
// CHECK-LABEL: plan of _Z3two
// CHECK: loop0: 2 iterations jammed in node{{[0-9]+}} over tiles, 8 iterations of its loops unrolled
__global__ void two(ARGUMENTS) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < d - 1; k++)
      s += (x[i * d + k] - w[j * d + k]) * w[j * d + k + 1];
    out[j * n + i] = s;
  }
}
