// Arrays of each thread's own that data index lie in shared memory in a version, a column for each thread.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// Pinned, whatever the model says.
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:counts=3 %t.exe | %FileCheck %s -check-prefix=LAUNCH
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.own.ll
// RUN: %FileCheck %s -check-prefix=CODE < %t.own.ll
// The record says how many bytes a thread has: 64 of them.
// RUN: grep -q 'MESIGATE.*\\00\\00\\00\\00\\40\\00\\00\\00\\00\\00\\00\\00counts[$]mesi[$]2BC\|MESIGATE.*\\00\\00\\00\\00@\\00\\00\\00\\00\\00\\00\\00counts[$]mesi[$]2BC' %t.own.ll

// REMARK: counts: arrays of each thread's own can lie in shared memory: 1 array, 64 bytes for each thread
// PLAN-LABEL: plan of counts
// PLAN: local_columns: 1 array, 64 bytes for each thread
// A thread's number in its block, and its threads in whole warps. A row is below the array's length.
// CODE: @"counts$mesi$2$columns" = external addrspace(3) global [0 x i8], align 16
// CODE-LABEL: define {{.*}} @"counts$mesi$2"
// CODE-NOT: alloca
// CODE: [[UP:%[0-9]+]] = add i32 %{{[0-9]+}}, 31
// CODE: [[PITCH:%[0-9]+]] = and i32 [[UP]], -32
// CODE: [[OWN:%[0-9]+]] = mul i32 %{{[0-9]+}}, 4
// CODE: [[COLUMN:%[0-9]+]] = getelementptr i8, ptr addrspace(3) @"counts$mesi$2$columns", i32 [[OWN]]
// CODE: [[ROW:%[0-9]+]] = mul i32 [[PITCH]], 4
// What was filled is stored row by row.
// CODE-COUNT-16: store i32 0, ptr addrspace(3)
// CODE-NOT: store i32 0
// CODE: [[LEAST:%[0-9]+]] = call i32 @llvm.umin.i32(i32 %{{[0-9]+}}, i32 15)
// CODE: [[BYTE:%[0-9]+]] = mul i32 [[LEAST]], [[ROW]]
// CODE: [[CELL:%[0-9]+]] = getelementptr i8, ptr addrspace(3) [[COLUMN]], i32 [[BYTE]]
// CODE: load i32, ptr addrspace(3) [[CELL]], align 4
// CODE-NOT: memset
// CODE: ret void
extern "C" __global__ void counts(const unsigned char *x, int *out, int n) {
  int count[16] = {0};
  for (int k = 0; k < n; k++)
    count[x[k * blockDim.x + threadIdx.x]]++;
  int best = 0;
  for (int k = 1; k < 16; k++)
    if (count[k] > count[best])
      best = k;
  out[threadIdx.x] = best;
}
// Four bytes of a thread lie in a word; those of two arrays behind each other, each in its own words.
// PLAN-LABEL: plan of two
// PLAN: local_columns: 2 arrays, 84 bytes for each thread
// CODE-LABEL: define {{.*}} @"two$mesi$2"
// CODE: [[SMALL:%[0-9]+]] = getelementptr i8, ptr addrspace(3) @"two$mesi$2$columns", i32
// CODE: [[LARGE:%[0-9]+]] = getelementptr i8, ptr addrspace(3) @"two$mesi$2$columns", i32
// CODE: [[REST:%[0-9]+]] = and i32 [[AT:%[0-9]+]], 3
// CODE: [[ROW:%[0-9]+]] = lshr i32 [[AT]], 2
// CODE: [[LEAST:%[0-9]+]] = call i32 @llvm.umin.i32(i32 [[ROW]], i32 4)
// CODE: [[FIRST:%[0-9]+]] = mul i32 [[LEAST]], %{{[0-9]+}}
// CODE: [[BYTE:%[0-9]+]] = add i32 [[FIRST]], [[REST]]
// CODE: [[CELL:%[0-9]+]] = getelementptr i8, ptr addrspace(3) [[SMALL]], i32 [[BYTE]]
// CODE: store i8 %{{[0-9a-z]+}}, ptr addrspace(3) [[CELL]], align 1
// An index below the array's length is not looked at.
// CODE: [[INDEX:%[0-9a-z]+]] = and i32 %{{[0-9]+}}, 7
// CODE-NEXT: mul i32 [[INDEX]]
// CODE: ret void
extern "C" __global__ void two(const int *x, double *out, int n) {
  unsigned char small[17];
  double large[8];
  for (int k = 0; k < 8; k++)
    large[k] = k;
  for (int k = 0; k < n; k++) {
    small[x[k]] = x[k + n];
    large[x[k] & 7] += small[x[k + 1]];
  }
  out[threadIdx.x] = large[x[0] & 7];
}
// Two dimensions are one; what is indexed by constants alone stays where it is.
// PLAN-LABEL: plan of table
// PLAN: local_columns: 1 array, 128 bytes for each thread
extern "C" __global__ void table(const int *x, float *out, int n) {
  float sums[4][8];
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 8; c++)
      sums[r][c] = 0;
  for (int k = 0; k < n; k++)
    sums[x[k] & 3][x[k + n] & 7] += 1;
  float most = 0;
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 8; c++)
      most = fmaxf(most, sums[r][c]);
  out[threadIdx.x] = most;
}

int main() {
  unsigned char *x = 0;
  int *p = 0;
  // Threads of whole warps.
  // LAUNCH: grid 7 1 1 block 64 1 1 shared 4096: counts$mesi$2
  counts<<<7, 64>>>(x, p, 12);
  // LAUNCH: grid 7 1 1 block 7 5 1 shared 4096: counts$mesi$2
  counts<<<7, dim3(7, 5)>>>(x, p, 12);
  // What the program itself asks for is none of the version's.
  // LAUNCH: grid 7 1 1 block 64 1 1 shared 16: counts{{$}}
  counts<<<7, 64, 16>>>(x, p, 12);
}
