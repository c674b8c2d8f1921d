// Loops of which each iteration stores cells of its own are dealt out to the lanes of a warp, too: the lane that has the iteration stores.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:copied=4 %t.exe | %FileCheck %s -check-prefix=PIN
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='nvvm-reflect,thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='nvvm-reflect,thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.split.ll && %FileCheck %s -check-prefix=CODE < %t.split.ll
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define LOOP for (int k = 0; k < n; k++)
extern "C" {
int printf(const char *, ...);

// Nothing is carried. The warp waits before and behind the loop, and nothing is compared: the source says that the arrays lie apart.
// REMARK: copied: its loops that store are split: a warp for each thread, 1 loop with 0 accumulators, 1 storing
// PLAN-LABEL: plan of copied
// PLAN: split: a warp for each thread, 1 loop with 0 accumulators, 1 storing{{$}}
// What lanes store, others may read: it is not the thread's alone.
// CODE-LABEL: define {{.*}} @"copied$mesi$3"(ptr noalias noundef readonly {{[^,]*}}, ptr noundef {{[^,]*}},
// CODE: [[LANE:%[0-9]+]] = urem i32 {{%[0-9]+}}, 32
// CODE: bar.warp.sync(i32 -1)
// CODE-NEXT: [[HAS:%[0-9]+]] = icmp ule i32 [[LANE]],
// CODE-NOT: select
// CODE: br i1 [[HAS]]
// CODE: store float
// CODE: bar.warp.sync(i32 -1)
__global__ void copied(const float *__restrict__ a, float *__restrict__ y, int n) {
  int i = ID;
  LOOP y[i * n + k] = a[k * 3 + i] / 3;
}

// Two arrays that may be one are compared: they lie apart, or begin at one address. If neither is so, one lane takes all iterations.
// In blocks as small as these no iteration becomes a thread, so a version is left for this.
// PLAN-LABEL: plan of compared
// PLAN: split: a warp for each thread, 1 loop with 0 accumulators, 1 storing where 1 pair apart
// CODE-LABEL: define {{.*}} @"compared$mesi$2"
// CODE: bar.warp.sync
// CODE: [[TO:%[0-9]+]] = sub i64 [[Y:%[0-9]+]], [[X:%[0-9]+]]
// CODE: icmp uge i64 [[TO]],
// CODE: [[FRO:%[0-9]+]] = sub i64 [[X]], [[Y]]
// CODE: icmp uge i64 [[FRO]],
// CODE: [[APART:%[0-9]+]] = and i1
// CODE-NEXT: [[ONE:%[0-9]+]] = icmp eq i64
// CODE-NEXT: [[ALL:%[0-9]+]] = or i1 [[APART]], [[ONE]]
// CODE-NEXT: [[COUNT:%[0-9]+]] = select i1 [[ALL]], i32 32, i32 1
// CODE: [[MINE:%[0-9]+]] = icmp ult i32 {{%[0-9]+}}, [[COUNT]]
// CODE: udiv i32 {{%[0-9]+}}, [[COUNT]]
__global__ __attribute__((launch_bounds(64))) void compared(const float *a, float *y, int n) {
  int i = ID;
  LOOP y[i * n + k] = a[i * n + k] / 3;
}

// Two cells of an iteration, the last one first, under a branch; what they hold is an array's own.
// PLAN-LABEL: plan of pairs
// PLAN: split: a warp for each thread, 1 loop with 0 accumulators, 1 storing{{$}}
__global__ void pairs(float *y, int n) {
  int i = ID;
  for (int k = n - 1; k >= 0; k--)
    if (y[(i * n + k) * 2] > 0) {
      y[(i * n + k) * 2] /= 3;
      y[(i * n + k) * 2 + 1] -= 3;
    }
}

// An iteration stores, and steps a sum in order; one that is compared. What is stored is a product that the sum is fused with as well.
// PLAN-LABEL: plan of summed
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator, 2 steps in order, 1 storing where 1 pair apart
// CODE-LABEL: define {{.*}} @"summed$mesi$2"
// CODE: [[COUNT:%[0-9]+]] = select i1 [[ALL:%[0-9]+]], i32 32, i32 1
// CODE: chunk:
// CODE: icmp ult i32 {{%[0-9]+}}, [[COUNT]]
// CODE: fmul contract float
// CODE: store float
// CODE: after:
// CODE: select i1 [[ALL]], i32 {{%[0-9]+}}, i32 0
// CODE: whole:
// CODE: [[PRODUCT:%[0-9]+]] = fmul contract float
// CODE-NEXT: fadd contract float {{.*}}[[PRODUCT]]
__global__ void summed(const float *a, float *y, float *s, int n) {
  int i = ID;
  float sum = 0;
  LOOP {
    float x = a[i * n + k] * a[i * n + k];
    sum += x;
    y[i * n + k] = x;
  }
  s[i] = sum;
}

// A sum of whole numbers in any order beside it.
// PLAN-LABEL: plan of counted
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator, 1 storing{{$}}
// CODE-LABEL: define {{.*}} @"counted$mesi$1"
// CODE: store i32
// CODE: shfl.sync.bfly
// CODE: bar.warp.sync
__global__ void counted(const int *__restrict__ a, int *__restrict__ y, int n) {
  int i = ID, sum = 0;
  LOOP {
    sum += a[i * n + k];
    y[i * (n + 1) + k] = -a[i * n + k];
  }
  y[i * (n + 1) + n] = sum;
}

// The loop around it is run by all lanes, and what it loads comes from the first.
// PLAN-LABEL: plan of nested
// PLAN: split: a warp for each thread, 1 loop with 0 accumulators, 1 storing where 1 pair apart
// CODE-LABEL: define {{.*}} @"nested$mesi$2"
// CODE: shfl.sync.idx.i32
// CODE: bar.warp.sync
// CODE: [[PRODUCT:%[0-9]+]] = fmul contract float
// CODE: fadd contract float {{.*}}[[PRODUCT]]
// CODE: bar.warp.sync
__global__ void nested(const float *w, const float *a, float *y, int m, int n) {
  int i = ID;
  for (int j = 0; j < m; j++) {
    float x = w[i * m + j];
    LOOP y[i * n + k] += x * a[j * n + k];
  }
}

// A store outside of the loop is waited for where the loop may touch that memory.
// PLAN-LABEL: plan of framed
// PLAN: split: a warp for each thread, 1 loop with 0 accumulators, 1 storing{{$}}
// CODE-LABEL: define {{.*}} @"framed$mesi$2"
// CODE: bar.warp.sync
// CODE: once:
// CODE-NEXT: store float
// CODE: bar.warp.sync
// CODE: bar.warp.sync
// CODE: store float
// CODE: bar.warp.sync
__global__ void framed(float *y, int n) {
  int i = ID;
  y[i * n] = 1;
  for (int k = 1; k < n; k++)
    y[i * n + k] /= 3;
}
}

int main() {
  float *a = 0;
  // No limit but that of ids.
  // PIN: grid 8192 1 1 block 256 1 1 shared 0: copied$mesi$3
  copied<<<256, 256>>>(a, a, 4096);
}
