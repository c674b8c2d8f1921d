// Two ways to one address: what either rests on is a fact of what they meet in.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-affine;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK: [[NARROW:fact[0-9]+]]: -32768 <= s0 + s1 <= 32767
// CHECK: array1 + 4*iter(loop0) + 4*s0 + 4*s1 + 131072 if [[NARROW]]
__global__ void meet(const float *a, const float *__restrict__ c, float *__restrict__ y, float *__restrict__ z, int m,
                     int n, int o) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float sum = 0;
    const float *p;
    if (c[row] > 0) {
      p = a + 32768 + (long)o + (long)n;
      z[row] = p[3];
    } else {
      p = a + 32768 + (short)(o + n);
      z[row] = sqrtf(p[2]);
    }
    for (int k = 0; k < n; k++)
      sum += p[k];
    y[row] = sum;
  }
}
