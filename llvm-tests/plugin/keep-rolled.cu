// With keep-rolled, a loop of constant trip count is still a loop when the pass sees it, and is
// unrolled afterwards; the marks that kept it are gone, and what the user asked for is there.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O3 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi -mllvm -mesi-keep-rolled -mllvm -print-before-all -mllvm -mesi-only=x 2> %t.before
// RUN: %FileCheck %s -check-prefix=BEFORE < %t.before
// BEFORE: IR Dump Before mesi on [module]
// BEFORE: define {{.*}}@_Z4ninePfPKf
// BEFORE: br i1 {{.*}}!llvm.loop [[NINE:![0-9]+]]
// BEFORE: [[NINE]] = distinct !{[[NINE]], {{.*}}[[MARK:![0-9]+]]}
// BEFORE: [[MARK]] = !{!"mesi.rolled", i32 1}
// RUN: %FileCheck %s -check-prefix=AFTER < %t.ll
// AFTER: define {{.*}}@_Z4ninePfPKf
// AFTER-COUNT-9: load float
// AFTER-NOT: load float
// AFTER-NOT: !{!"mesi.rolled"
// Without it the loop is gone by then.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O3 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi -mllvm -print-before-all 2>&1 | %FileCheck %s -check-prefix=GONE
// GONE: IR Dump Before mesi on [module]
// GONE-NOT: !llvm.loop
// GONE: IR Dump
__global__ void nine(float *y, const float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < 9; k++)
    s += x[i + k];
  y[i] = s;
}
