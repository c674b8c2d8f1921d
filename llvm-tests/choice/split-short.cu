// A warp for each thread of a launch whose loop has fewer iterations than there are lanes takes up to 32 times as long: the host turns such launches away, unless
// what the loop asks for lies in rows of a thread's own, which lanes load by the sector.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off;only=around>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=AROUND
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off;only=rows>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=ROWS

// PLAN-LABEL: plan of around
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator
// AROUND-LABEL: define zeroext i1 @"around$mesi${{[0-9]}}$fold$gate"
// AROUND: icmp sle i64 32, %
extern "C" __global__ void around(const int *x, int *y, int n, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int s = 0;
  for (int k = -r; k <= r; k++) {
    int v = x[min(max(i + k, 0), n - 1)];
    s += v * v;
  }
  y[i] = s;
}
// PLAN-LABEL: plan of rows
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator
// ROWS-LABEL: define zeroext i1 @"rows$mesi${{[0-9]}}$fold$gate"
// ROWS-NOT: icmp sle i64 32,
// ROWS: ret i1
extern "C" __global__ void rows(const int *x, int *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int s = 0;
  for (int k = 0; k < m; k++)
    s += x[i * m + k];
  y[i] = s;
}
