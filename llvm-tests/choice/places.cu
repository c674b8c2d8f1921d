// A copy in which each iteration is a thread, launched as it is, and a split version that takes a spare place both have one: the kernel's own loop with loads in front leaves its own.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s
// The copy with merged blocks, the kernel's tiles, the copy as it is, and a warp for each thread.
// CHECK-LABEL: define {{.*}} @"copied$mesi$0"
// CHECK: sreg.tid.y
// CHECK-LABEL: define {{.*}} @"copied$mesi$1"
// CHECK: cp.async
// CHECK-LABEL: define {{.*}} @"copied$mesi$2"
// CHECK: sreg.tid.y
// CHECK-NOT: phi
// CHECK-LABEL: define {{.*}} @"copied$mesi$3"
// CHECK: bar.warp.sync
// CHECK-NOT: @"copied$mesi$4"
extern "C" __global__ void copied(const float *in, float *out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    for (int j = 0; j < n; j++)
      out[i * n + j] = 2.0f * in[i * n + j];
}
