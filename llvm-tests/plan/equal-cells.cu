// Accesses of one cell by two ways to write its index: that they are one is a fact, for a sum in a register and for iterations
// abreast, each of which has a cell of its own.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;force;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;shared=0;unroll-jam=4>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=ABREAST
// CHECK-LABEL: plan of _Z3sumPKfS0_Pfiii
// CHECK: register in loop0: access2 access3 access4 access5, loaded first
// CHECK: fact: -128 <= s0 + s1 <= 127
__global__ void sum(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ c, int m, int n,
                    int o) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float *p = c + row * 1024 + 128 + (long)o + (long)n;
    float *q = c + row * 1024 + 128 + (signed char)(o + n);
    for (int k = 0; k < n; k++) {
      float v = a[row * n + k] + x[k];
      *p += v;
      *q = *q * 0.5f - v;
    }
  }
}
// ABREAST-LABEL: plan of _Z4cellPKfS0_Pfiii
// ABREAST-NEXT: loop0: 4 iterations jammed
// ABREAST: fact: -128 <= s0 + s1 <= 127
__global__ void cell(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ c, int m, int n,
                     int o) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float *p = c + row * 4096 + 640 + (long)o + (long)n;
    float *q = c + row * 4096 + 640 + (signed char)(o + n);
    for (int j = 0; j < n; j++) {
      float old = q[64 * j];
      for (int k = 0; k < n; k++)
        old += a[k * m + row] * x[j * n + k];
      p[64 * j] = old;
    }
  }
}
