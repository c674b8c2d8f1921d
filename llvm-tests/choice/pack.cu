// Small blocks of a program's launch lie in layers of a version's: each thread keeps the numbers that it has.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// Pinned, whatever the model says; a launch that cannot be packed runs the kernel.
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:cell=1 %t.exe | %FileCheck %s -check-prefix=CELL
// RUN: env MESI_CHOICE=pin:sums=1 %t.exe | %FileCheck %s -check-prefix=SUMS
// RUN: env MESI_CHOICE=pin:shares=3 %t.exe | %FileCheck %s -check-prefix=SHARES
// RUN: env MESI_CHOICE=pin:bounded=1 %t.exe | %FileCheck %s -check-prefix=BOUNDED
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE

// REMARK: cell: its small blocks can be packed: blocks of up to 32 threads
// PLAN-LABEL: plan of cell
// PLAN: pack: blocks of up to 32 threads
// GATE-LABEL: define zeroext i1 @"cell$mesi$0$fold$gate"
// GATE: ret i1
// Variables stand in the first block, and what says where a thread is comes from the list and its layer.
// CODE-LABEL: define {{.*}} @"cell$mesi$0"(ptr {{.*}}, i32 {{.*}}, ptr byval([7 x i32]) align 4 %{{[0-9a-z]+}})
// CODE-NEXT: pack:
// CODE: alloca [8 x float]
// CODE: [[LAYER:%[0-9]+]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
// CODE: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CODE: [[IS:%[0-9]+]] = and i1
// CODE: br i1 [[IS]], label %entry, label %pack.ends
// CODE: entry:
// CODE-NOT: sreg.ctaid
// CODE-NOT: sreg.nctaid
// CODE-NOT: sreg.tid.z
// CODE: ret void
extern "C" __global__ void cell(float *a, int n) {
  float turn[8];
  for (int k = 0; k < 8; k++) turn[k] = a[blockIdx.x] * k;
  for (int k = 0; k < n; k++) turn[(k * k) & 7] += turn[(k + threadIdx.x) & 7];
  if (turn[n & 7] > 0)
    a[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x + threadIdx.z] = turn[n & 7];
}
// Threads that exchange values: a warp of the version is a block of the program.
// PLAN-LABEL: plan of sums
// PLAN: pack: blocks of 32 threads
extern "C" __global__ void sums(float *a, const float *volatile *b, int n) {
  float s = b[blockIdx.x][threadIdx.x];
  for (int k = 16; k; k /= 2) s += __shfl_xor_sync(~0u, s, k);
  if (threadIdx.x == 0) a[blockIdx.x] = s;
}

// No more threads than the kernel may have.
// PLAN-LABEL: plan of bounded
// PLAN: pack: blocks of up to 32 threads
extern "C" __global__ void __launch_bounds__(32) bounded(float *a) { a[blockIdx.x * 6 + threadIdx.x] = 1; }
// Threads that share arrays and meet: each block is part of a warp, and has parts of the arrays, 16 bytes apart.
// PLAN-LABEL: plan of shares
// PLAN: pack: blocks of up to 32 threads that share what they have, up to 16 of them
// GATE-LABEL: define zeroext i1 @"shares$mesi${{[0-9]}}$fold$gate"
// GATE: ret i1
// CODE-LABEL: define {{.*}} @"shares$mesi${{[0-9]}}"(ptr {{.*}}, ptr byval([7 x i32]) align 4 %{{[0-9a-z]+}})
// CODE-NEXT: pack:
// CODE: [[ONES:%[0-9]+]] = lshr i32 -1
// CODE: [[MEMBERS:%[0-9]+]] = shl i32 [[ONES]]
// CODE: call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
// CODE: udiv i32 %{{[0-9]+}}, 16
// CODE: br i1
// CODE: call void @llvm.nvvm.bar.warp.sync(i32 [[MEMBERS]])
// CODE-NOT: llvm.nvvm.barrier
// CODE: ret void
extern "C" __global__ void shares(int *a) {
  extern __shared__ int some[];
  __shared__ int all[8];
  all[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
  some[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[blockIdx.x] = all[7 - threadIdx.x] + some[blockDim.x - 1 - threadIdx.x];
}

int main() {
  // A part of dynamic memory for each of 16 blocks, whose threads are part of a warp.
  // SHARES: grid 4375 1 1 block 8 1 16 shared 768: shares$mesi$
  shares<<<70000, 8, 40>>>(0);
  // SHARES: grid 70000 1 1 block 6 1 1 shared 40: shares{{$}}
  shares<<<70000, 6, 40>>>(0);
  // SHARES: grid 70000 1 1 block 64 1 1 shared 40: shares{{$}}
  shares<<<70000, 64, 40>>>(0);
  float *p = 0;
  const float *volatile *q = 0;
  // 21 blocks of 6 threads are 126.
  // CELL: grid 2551 1 1 block 6 1 21 shared 0: cell$mesi$0
  cell<<<53568, 6>>>(p, 9);
  // One thread: as many layers as there are, 64.
  // CELL: grid 1024 1 1 block 1 1 64 shared 0: cell$mesi$0
  cell<<<65536, 1>>>(p, 9);
  // Few blocks fill warps, and no more; fewer than that one block.
  // CELL: grid 200 1 1 block 6 1 5 shared 0: cell$mesi$0
  cell<<<1000, 6>>>(p, 9);
  // CELL: grid 1 1 1 block 6 1 3 shared 0: cell$mesi$0
  cell<<<3, 6>>>(p, 9);
  // More blocks along y.
  // CELL: grid 3 2143 1 block 6 1 21 shared 0: cell$mesi$0
  cell<<<dim3(3, 45000), 6>>>(p, 9);
  // Two rows of threads; layers are the program's own; too many threads; one block; dynamic shared memory is none of ours.
  // CELL: grid 2551 1 1 block 3 2 21 shared 0: cell$mesi$0
  cell<<<53568, dim3(3, 2)>>>(p, 9);
  // CELL: grid 53568 1 1 block 3 1 2 shared 0: cell{{$}}
  cell<<<53568, dim3(3, 1, 2)>>>(p, 9);
  // CELL: grid 53568 1 1 block 33 1 1 shared 0: cell{{$}}
  cell<<<53568, 33>>>(p, 9);
  // CELL: grid 1 1 1 block 6 1 1 shared 0: cell{{$}}
  cell<<<1, 6>>>(p, 9);
  // CELL: grid 53568 1 1 block 6 1 1 shared 64: cell{{$}}
  cell<<<53568, 6, 64>>>(p, 9);
  // BOUNDED: grid 10714 1 1 block 6 1 5 shared 0: bounded$mesi$0
  bounded<<<53568, 6>>>(p);
  // SUMS: grid 4096 1 1 block 32 1 4 shared 0: sums$mesi$0
  sums<<<16384, 32>>>(p, q, 9);
  // SUMS: grid 4096 1 1 block 8 4 4 shared 0: sums$mesi$0
  sums<<<16384, dim3(8, 4)>>>(p, q, 9);
  // Few: each has a warp already. Half of one.
  // SUMS: grid 1024 1 1 block 32 1 1 shared 0: sums{{$}}
  sums<<<1024, 32>>>(p, q, 9);
  // SUMS: grid 16384 1 1 block 16 1 1 shared 0: sums{{$}}
  sums<<<16384, 16>>>(p, q, 9);
}
