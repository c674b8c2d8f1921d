// A loop over elements is dealt out: versions of a copy of the kernel get a thread for each element, in a launch that the host works out.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// Pinned, whatever the model says; a launch that cannot be spread runs the kernel.
// RUN: env MESI_CHOICE=pin:rows=1 %t.exe | %FileCheck %s -check-prefix=PIN
// The launch as a function of the host, and the copy's versions.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// The copy has no loop over elements any more.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
extern "C" int printf(const char *, ...);

// REMARK: rows: its loop is dealt out: a thread for each of {{[^ ]*}} elements
// PLAN-LABEL: plan of rows
// PLAN: array0 {{.*}} not staged: DivergentLoop
// PLAN: spread: a thread for each of m elements
// PLAN-LABEL: plan of rows$mesi$copy
// PLAN: tile0: array0 a
// GATE-LABEL: define zeroext i1 @"rows$mesi$0$fold$gate"
// GATE: store i32
// GATE: ret i1
// CODE-LABEL: define {{.*}} @"rows$mesi$0"
// CODE-NOT: sreg.nctaid
// CODE: ret void
extern "C" __global__ void rows(const float *a, float *s, int m, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[i * n + j];
    s[i] = sum;
  }
}
// Neighbours of a thread; unsigned, so that the end of its own is told in another way.
// REMARK: few: its loop is dealt out: a thread for each of {{[^ ]*}} elements, which have 4 each
// PLAN-LABEL: plan of few
// PLAN: spread: a thread for each of m elements, which have 4 each
extern "C" __global__ void few(const float *a, float *s, unsigned m, unsigned n) {
  unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (unsigned i = first; i < first + 4 && i < m; i++) {
    float sum = 0;
    for (unsigned j = 0; j < n; j++)
      sum += a[i * n + j];
    s[i] = sum;
  }
}
// Elements that are flattened ids: both.
// REMARK: product: its loop is dealt out: a thread for each of {{[^ ]*}} elements
// REMARK: product: its flattened ids are taken apart: rows of
// PLAN-LABEL: plan of product
// PLAN: spread: a thread for each of {{.*}} elements
// PLAN: folded: rows of n
// PLAN-LABEL: plan of product$mesi$copy
// PLAN: region0: {{.*}} loop0 in strips of 16
extern "C" __global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n; i += gridDim.x * blockDim.x) {
    int row = i / n, col = i % n;
    float sum = 0;
    for (int j = 0; j < k; j++)
      sum += a[row * k + j] * b[j * n + col];
    c[i] = sum;
  }
}
// Rows changed in place: each is its element's own. Integer updates may come in any order.
// REMARK: inplace: its loop is dealt out: a thread for each of {{[^ ]*}} elements
extern "C" __global__ void inplace(float *a, int *most, int m, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[i * n + j];
    for (int j = 0; j < n; j++)
      a[i * n + j] /= sum;
    atomicMax(most, i);
  }
}

int main() {
  float *p = 0;
  // Few elements have small blocks.
  // CHECK: grid 512 1 1 block 64 1 1 shared 0: rows$mesi${{[0-9]}}
  // PIN: grid 512 1 1 block 64 1 1 shared 0: rows$mesi$0
  rows<<<16, 256>>>(p, p + (1 << 28), 1 << 15, 4096);
  // CHECK: grid 4096 1 1 block 256 1 1 shared 0: rows$mesi${{[0-9]}}
  // PIN: grid 4096 1 1 block 256 1 1 shared 0: rows$mesi$0
  rows<<<16, 256>>>(p, p + (1 << 28), 1 << 20, 256);
  // PIN: grid 4 1 1 block 64 1 1 shared 0: rows$mesi$0
  rows<<<1, 1>>>(p, p + (1 << 28), 250, 256);
  // No elements, more than there are ids for, blocks of two dimensions, dynamic shared memory, arrays that overlap.
  // PIN: grid 16 1 1 block 256 1 1 shared 0: rows{{$}}
  rows<<<16, 256>>>(p, p + (1 << 28), 0, 256);
  // PIN: grid 16 1 1 block 256 1 1 shared 0: rows{{$}}
  rows<<<16, 256>>>(p, p + (1 << 28), -1, 256);
  // PIN: grid 16 1 1 block 256 1 1 shared 0: rows{{$}}
  rows<<<16, 256>>>(p, p + (1L << 40), 0x7fffffff, 1);
  // PIN: grid 16 1 1 block 16 16 1 shared 0: rows{{$}}
  rows<<<16, dim3(16, 16)>>>(p, p + (1 << 28), 1 << 15, 256);
  // PIN: grid 16 2 1 block 256 1 1 shared 0: rows{{$}}
  rows<<<dim3(16, 2), 256>>>(p, p + (1 << 28), 1 << 15, 256);
  // PIN: grid 16 1 1 block 256 1 1 shared 64: rows{{$}}
  rows<<<16, 256, 64>>>(p, p + (1 << 28), 1 << 15, 256);
  // PIN: grid 16 1 1 block 256 1 1 shared 0: rows{{$}}
  rows<<<16, 256>>>(p, p + 1000, 1 << 15, 256);
  // CHECK: grid 512 1 1 block 64 1 1 shared 0: few$mesi${{[0-9]}}
  few<<<32, 256>>>(p, p + (1 << 28), 1 << 15, 4096);
  // Not all elements have a thread.
  // CHECK: grid 31 1 1 block 256 1 1 shared 0: few{{$}}
  few<<<31, 256>>>(p, p + (1 << 28), 1 << 15, 4096);
  // CHECK: grid 32 128 1 block 32 8 1 shared 0: product$mesi${{[0-9]}}
  product<<<16, 256>>>(p, p + (1 << 20), p + (2 << 20), 1024, 1024, 1024);
}
