// Conditions that limit the sum of two threads' numbers are in what is asked of bytes: a copy's tiles and stores then end where its arrays do, and the host launches it where the next array begins right there.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
extern "C" {
// Columns i and i + k of the upper triangle: the second is below n by the sum's limit, not by the number of threads.
// PLAN-LABEL: plan of products$mesi$copy
// PLAN: fact: array1 + {{.*}} + (4)*(tid.x + tid.y) + (4*s1)*(iter(loop0)) for 4 bytes apart from array0 + {{.*}} + (4)*(tid.x + tid.y) + (4*s1)*(tid.y) for 4 bytes
// GATE-LABEL: define zeroext i1 @"products$mesi$0$gate"
// i, and the sum: no more than n - 1.
// GATE: [[I:%.*]] = call i64 @llvm.smin.i64(i64 {{%.*}}, i64 [[LAST:%.*]])
// GATE: [[SUM:%.*]] = add i64 {{%.*}}, [[I]]
// GATE: call i64 @llvm.smin.i64(i64 [[SUM]], i64 [[LAST]])
// GATE: ret i1
__global__ void products(float *c, const float *a, int rows, int n) {
  int i = ID;
  if (i < n)
    for (int j = i; j < n; j++) {
      c[i * n + j] = 0;
      for (int k = 0; k < rows; k++)
        c[i * n + j] += a[k * n + i] * a[k * n + j];
      c[j * n + i] = c[i * n + j];
    }
}
// Threads in two dimensions: x is no more than y, and so below n.
// PLAN-LABEL: plan of below
// GATE-LABEL: define zeroext i1 @"below$mesi$0$gate"
// GATE: smin.i64(i64 {{%.*}}, i64 [[LAST:%.*]])
// GATE: smin.i64(i64 {{%.*}}, i64 [[LAST]])
// GATE: ret i1
__global__ void below(float *c, const float *a, int rows, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = ID;
  if (i < n && j <= i)
    for (int k = 0; k < rows; k++)
      c[i * n + j] += a[k * n + i] * a[k * n + j];
}
}
