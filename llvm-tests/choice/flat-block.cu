// Flat blocks whose threads' numbers are taken apart by a constant become blocks of rows in a copy: its ids are those of a grid, and the host works its launch out.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:product=1 %t.exe | %FileCheck %s -check-prefix=PRODUCT
// RUN: env MESI_CHOICE=pin:stencil=1 %t.exe | %FileCheck %s -check-prefix=STENCIL
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
extern "C" int printf(const char *, ...);

// REMARK: product: its product is worked out in blocks of another shape
// REMARK: product: its flat blocks become blocks of rows: 32 rows of 32 threads, the grid's columns along y, its rows along x
// PLAN-LABEL: plan of product
// PLAN: flat blocks: 32 rows of 32 threads, the grid's columns along y, its rows along x
// PLAN-LABEL: plan of product$mesi$copy
// PLAN: tile
extern "C" __global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.x * 32 + threadIdx.x / 32, col = blockIdx.y * 32 + threadIdx.x % 32;
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}
// Rows that are no power of two; a layer is none of the block's threads.
// REMARK: stencil: its flat blocks become blocks of rows: 6 rows of 48 threads, the grid's columns along x, its rows along y
// CODE-LABEL: define {{.*}} @"stencil$mesi$0"(
// CODE-DAG: sreg.tid.y()
// CODE-DAG: sreg.ctaid.y()
// CODE-DAG: sreg.ctaid.z()
// CODE-NOT: {{[us]}}rem i32
// CODE: ret void
extern "C" __global__ void stencil(const float *a, float *b, size_t w, size_t h) {
  size_t x = blockIdx.x * 48 + threadIdx.x % 48, y = blockIdx.y * 6 + threadIdx.x / 48;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  size_t i = (blockIdx.z * h + y) * w + x;
  b[i] = a[i - 1] + a[i + 1] + a[i - w] + a[i + w];
}

int main() {
  float *p = 0, *q = p + (1 << 26), *r = q + (1 << 26);
  // PRODUCT: grid {{[0-9 ]+}} block {{[0-9 ]+}} shared {{[0-9]+}}: product$mesi$0
  product<<<dim3(128, 64), 1024>>>(p, q, r, 4096, 2048, 4096);
  // Another number of threads, or of rows: parts are no ids then.
  // PRODUCT: grid 128 64 1 block 512 1 1 shared 0: product{{$}}
  product<<<dim3(128, 64), 512>>>(p, q, r, 4096, 2048, 4096);
  // PRODUCT: grid 128 64 1 block 512 2 1 shared 0: product{{$}}
  product<<<dim3(128, 64), dim3(512, 2)>>>(p, q, r, 4096, 2048, 4096);
  // Columns lie along the grid's x, so rows along y, of which it has 65,535.
  // PRODUCT: grid 65536 1 1 block 1024 1 1 shared 0: product{{$}}
  product<<<dim3(65536, 1), 1024>>>(p, q, r, 32, 32, 32);
  // STENCIL: grid {{[0-9 ]+}} block 48 6 1 shared 0: stencil$mesi$0
  stencil<<<dim3(64, 512, 2), 288>>>(p, q, 3072, 3072);
  // STENCIL: grid 64 512 2 block 288 1 2 shared 0: stencil{{$}}
  stencil<<<dim3(64, 512, 2), dim3(288, 1, 2)>>>(p, q, 3072, 3072);
}
