// Loops that threads run a different number of times are cut, in a copy: what all threads of a block run is staged.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.own.ll && %FileCheck %s < %t.own.ll
// Without a host half versions go into the kernel itself, and it has no copy.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %not grep "index sets"

// Rows of a triangle end where the diagonal is. Merged blocks agree about where the middle ends.
// PLAN-LABEL: plan of ends
// PLAN: DivergentLoop
// PLAN: {{^ *}}index sets cut: each thread ends one by itself
// PLAN: plan of ends$mesi$copy
// PLAN: merge 4x4x1 blocks, consecutive along x, consecutive along y, warps square
// PLAN: region0: {{.*}} loop0 in strips
// PLAN: tile0: array0 a
// PLAN: tile1: array1 b
// The kernel keeps its loop. Behind a version's tests stands the copy: the middle, then the kernel's loop for what is left.
// CHECK-LABEL: define {{.*}} @ends(
// CHECK-NOT: mesi.parts
// CHECK-LABEL: define {{.*}} @"ends$mesi$0"(
// The least end is that of the first thread of four blocks, less than none if a number does not fit.
// CHECK: [[BLOCK:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #[[BOUNDS:[0-9]+]]
// CHECK-NEXT: [[FIRST:%.*]] = and i32 [[BLOCK]], -4
// CHECK-NEXT: [[WIDE:%.*]] = zext i32 [[FIRST]] to i64
// CHECK: [[ROWS:%.*]] = mul i64 [[WIDE]], %
// CHECK: [[END:%.*]] = add i64 1, [[ROWS]]
// CHECK: [[SOME:%.*]] = icmp sle i64 1, [[END]]
// CHECK: [[FITS:%.*]] = icmp sle i64 [[END]], 2147483647
// CHECK: [[MAY:%.*]] = and i1 [[SOME]], [[FITS]]
// CHECK: [[SHORT:%.*]] = trunc i64 [[END]] to i32
// CHECK: [[COUNT:%.*]] = select i1 [[MAY]], i32 [[SHORT]], i32 0
// CHECK: [[PARTS:%.*]] = icmp slt i32 0, [[COUNT]]
// CHECK: br i1 [[PARTS]], label %mesi.parts, label %mesi.rest
// CHECK: mesi.middle:
// CHECK: [[NEXT:%.*]] = add nsw i32 %{{.*}}, 1
// CHECK-NEXT: [[MORE:%.*]] = icmp slt i32 [[NEXT]], [[COUNT]]
// CHECK-NEXT: br i1 [[MORE]], label %mesi.middle, label %mesi.left
// Whether the thread goes on is asked once.
// CHECK: mesi.left:
// CHECK-NEXT: icmp eq i32
// CHECK: mesi.rest:
// CHECK: br i1 %{{.*}}, label %for.body, label %for.cond.cleanup
extern "C" __global__ void ends(float *c, const float *a, const float *b, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    float s = 0;
    for (int k = 0; k <= i; k++) s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
  }
}
// Columns begin there: each thread goes to where the last one of four blocks begins, and all go on together.
// PLAN-LABEL: plan of starts
// PLAN: {{^ *}}index sets cut: each thread starts one by itself
// PLAN: plan of starts$mesi$copy
// PLAN: merge 4x4x1 blocks
// PLAN: region0: {{.*}} loop1 in strips
// CHECK-LABEL: define {{.*}} @"starts$mesi$0"(
// CHECK: or i32 %{{.*}}, 3
// CHECK: mesi.parts:
// CHECK-NEXT: icmp slt i32 %{{.*}}, [[BEGIN:%.*]]
// CHECK: mesi.first:
// CHECK: [[GOES:%.*]] = icmp slt i32 %{{.*}}, %n
// CHECK: [[BEFORE:%.*]] = icmp slt i32 %{{.*}}, [[BEGIN]]
// CHECK: and i1 [[GOES]], [[BEFORE]]
// CHECK: mesi.middle:
// CHECK: phi i32 [ {{%[0-9]+}}, %mesi.middle ], [ [[BEGIN]], %mesi.behind ]
extern "C" __global__ void starts(float *c, const float *a, const float *b, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    float s = 0;
    for (int k = j; k < n; k++) s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
  }
}
// Both. Whether a thread enters at all compares two of its numbers, which no copy could follow: the middle comes in
// front of that, as all threads enter where it runs.
// PLAN-LABEL: plan of both
// PLAN: {{^ *}}index sets cut: each thread starts and ends one by itself
// PLAN: plan of both$mesi$copy
// PLAN: region0: {{.*}} loop1 in strips
// PLAN-NOT: tid.x - tid.y
extern "C" __global__ void both(float *c, const float *a, const float *b, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    float s = 0;
    for (int k = j; k <= i; k++) s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
  }
}
// A clamp has the extremes of what it clamps. What is counted down is, too, and steps may be longer where starts agree.
// PLAN-LABEL: plan of kinds
// PLAN: {{^ *}}index sets cut: each thread starts one by itself, each thread ends one by itself, each thread ends one by itself
// PLAN: plan of kinds$mesi$copy
// PLAN: region2:
extern "C" __global__ void kinds(float *c, const float *a, const float *b, int n, int m) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    float s = 0;
    for (int k = j < m ? j : m; k < n; k++) s += a[i * n + k] * b[k * n + j];
    for (int k = n - 1; k > i; k--) s += a[k * n + i] * b[k * n + j];
    for (int k = 0; k < n - i; k += 2) s -= a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
  }
}
// Flattened ids are taken apart first, and the host launches the copy as it does without that.
// PLAN-LABEL: plan of flat
// PLAN: {{^ *}}folded: rows of n, n*n of them
// PLAN: {{^ *}}index sets cut: each thread ends one by itself
// PLAN: plan of flat$mesi$copy
// PLAN: merge 4x4x1 blocks
// CHECK: define {{.*}} @"flat$mesi$0"(
extern "C" __global__ void flat(float *c, const float *a, const float *b, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n * n) {
    int i = id / n, j = id % n;
    float s = 0;
    for (int k = 0; k <= i; k++) s += a[i * n + k] * b[k * n + j];
    c[id] = s;
  }
}
// Nothing is staged in either part, so there is no copy.
// PLAN-LABEL: plan of nothing
// PLAN-NOT: index sets cut
extern "C" __global__ void nothing(float *c, const float *a, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int k = 0; k <= i; k++) s += a[(k * k ^ i) & 255] * at[k * i & n];
    c[i] = s;
  }
}
