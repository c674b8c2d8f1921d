// Iterations of a strip are unrolled up to some length of code. What replicas load past tiles each has by itself, so it counts as
// often as there are replicas.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<force;merge=off;strip=16;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=ONE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<force;merge=8;strip=16;disable=off>' -S %t.ll | %FileCheck %s
// ONE: !"llvm.loop.unroll.full"
// CHECK: mesi.lead
// CHECK-NOT: !"llvm.loop.unroll.full"
// CHECK: !"llvm.loop.unroll.count", i32 8
extern "C" __global__ void past(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += w[k] * (x[i & k] + x[i | k]);
  y[i] = s;
}
