// What is read under conditions that nobody knows beforehand is copied where the host finds that all that copies read is memory: the plan says
// what that is, the record of the version works out where it lies, and nothing of it is asked on the GPU.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;merge=1x1x1;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off;force;merge=1x1x1;reshape=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<disable=off;force;form=own>' -S %t.ll | %FileCheck %s -check-prefix=CODE
// Of itself a kernel that holds its version has nobody to ask.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;form=inside>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=INSIDE
// Without force such versions come behind the others, and the model is sure of none.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=MEASURED

// CHECK-LABEL: plan of masked
// CHECK: tile{{[0-9]}}: array{{[0-9]}} x
// CHECK: reads offsets {{\[\[0\]\]}}, tid.x <= -ctaid.x*ntid.x + s1 - 1
// CHECK: fact: array{{[0-9]}} + 0 + (4)*(iter(loop0)) for 4 bytes in one allocation
// CHECK: fact: {{.*}} apart from
// INSIDE-LABEL: plan of masked
// INSIDE: x not staged: UnboundedGuard
// MEASURED-LABEL: plan of masked
// MEASURED-NOT: pays:
// MEASURED: whole: {{.*}}in one allocation
// MEASURED: x not staged: UnboundedGuard
// x is the first argument: from its first byte on.
// GATE-LABEL: define zeroext i1 @"masked$mesi$0$mapped$gate"(ptr %0, ptr %1)
// GATE: %[[X:.*]] = ptrtoint ptr %{{.*}} to i64
// GATE: getelementptr i32, ptr %1, i64 6
// GATE: store i64
// GATE: ret i1
// CODE: @"masked$mesi$0$mapped$gate" = internal addrspace(1) constant
// CODE-LABEL: define {{.*}} @"masked$mesi$0"
// CODE: br i1 true, label %mesi.setup, {{.*}} !mesi.dispatch
extern "C" __global__ void masked(const float *x, const int *mask, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  float s = 0;
  for (int k = 0; k < n; k++)
    if (mask[k])
      s += x[k] * i;
  y[i] = s;
}

// A block's own row: each block's number runs by itself, and the last one's row is the last that is memory.
// CHECK-LABEL: plan of rows
// CHECK: fact: array{{[0-9]}} + 4*ctaid.x*s0 + (4)*(iter(loop0)) for 4 bytes in one allocation
// GATE-LABEL: define zeroext i1 @"rows$mesi$0$mapped$gate"(ptr %0, ptr %1)
// GATE: getelementptr i32, ptr %1, i64 3
// GATE: @llvm.smul.with.overflow.i64
extern "C" __global__ void rows(const float *__restrict__ x, const float *__restrict__ level, float *__restrict__ y, int n) {
  float s = 0;
  for (int k = 0; k < n; k++)
    if (level[k] > threadIdx.x)
      s += x[blockIdx.x * n + k];
  y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// Bounds that can be followed stay: what lies beyond them is asked of nobody.
// CHECK-LABEL: plan of around
// CHECK: reads offsets {{.*}} tid.x >= -ctaid.x*ntid.x + 2, tid.x <= -ctaid.x*ntid.x + s0 - 3
// CHECK: fact: array{{[0-9]}} + 4*ctaid.x*ntid.x - 8 + (4)*(tid.x) for 4 bytes in one allocation
extern "C" __global__ void around(const float *x, const float *open, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2)
    return;
  if (open[i] > 0)
    y[i] = x[i - 2] + x[i - 1] + x[i] + x[i + 1] + x[i + 2];
}
