// Products of floats are worked out by the vector units in the kernel's own order, in blocks of another shape than the program's: one version is
// launched with a block for each 128 x 128 of the result, and one, for small ones, for each 64 x 64. Any chip with asynchronous copies will do.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:product=3 %t.exe | %FileCheck %s -check-prefix=PIN
// RUN: env MESI_CHOICE=pin:product=4 %t.exe | %FileCheck %s -check-prefix=SMALL
// RUN: env MESI_CHOICE=pin:turned=3 %t.exe | %FileCheck %s -check-prefix=TURNED
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.mma.ll && %FileCheck %s -check-prefix=CODE < %t.mma.ll
extern "C" int printf(const char *, ...);

// REMARK: product: its product is worked out in blocks of another shape: tiles of 128 x 128, arg3 lines of f32 along the sum by y, arg4 lines of f32 across the sum by x
// PLAN-LABEL: plan of product
// PLAN: mma: tiles of 128 x 128, m lines of f32 along the sum by y, n lines of f32 across the sum by x
// PLAN-NEXT: mma: tiles of 64 x 64, m lines of f32 along the sum by y, n lines of f32 across the sum by x
// GATE-LABEL: define zeroext i1 @"product$mesi$2$fold$gate"
// GATE: add i64 {{%[0-9]+}}, 127
// GATE: add i64 {{%[0-9]+}}, 127
// CODE-LABEL: define {{.*}} @"product$mesi$2"(
// CODE-NEXT: mma:
// The sums begin with what the kernel's do.
// CODE: mma.head:
// CODE: = phi float [ 2.500000e+00, %mma ], [ {{%[0-9]+}}, %mma.turned ]
// CODE: cp.async.wait.group(i32 0)
// CODE-NEXT: barrier.cta.sync.aligned.all(i32 0)
// Lines along the sum are loaded, and stored behind the products; lines across are copied as they are.
// CODE: mma.all:
// CODE-COUNT-2: load <4 x float>, ptr addrspace(1) {{.*}}, align 16
// CODE-COUNT-2: cp.async.cg.shared.global.16(
// CODE: mma.some:
// CODE-COUNT-16: cp.async.ca.shared.global.4.s(
// A whole strip, 16 products of a line each: 128 rows, of which each thread has 8 sums by 8.
// CODE: mma.whole:
// CODE-COUNT-4: load <4 x float>, ptr addrspace(3) {{.*}}, align 16
// CODE-COUNT-1024: call float @llvm.fmuladd.f32(
// Of the last strip no more products are added than there are.
// CODE: mma.part:
// CODE-COUNT-64: call float @llvm.fmuladd.f32(
// CODE-NOT: llvm.fmuladd
// CODE: br i1 {{%[0-9]+}}, label %mma.part, label %mma.multiplied, !llvm.loop
// CODE: mma.turn:
// CODE-COUNT-8: store float {{.*}}, ptr addrspace(3) {{.*}}, align 4
// CODE: mma.element:
// CODE: [[SUM:%[0-9]+]] = load float, ptr addrspace(3)
// The kernel's own code takes the sum as it is, which is what the loop began with where that would not have run.
// CODE: = fmul contract float {{.*}}[[SUM]]
extern "C" __global__ void product(const float *a, const float *b, float *c, int m, int n, int k, float w) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 2.5f;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum * w;
  }
}

// The first across, the second along; rows along x.
// PLAN-LABEL: plan of turned
// PLAN: mma: tiles of 128 x 128, m lines of f32 across the sum by x, n lines of f32 along the sum by y
extern "C" __global__ void turned(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, size_t m, size_t n, size_t k) {
  size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x, col = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (size_t i = 0; i < k; i++)
    sum = b[col * k + i] * a[i * m + row] + sum;
  c[row * n + col] = sum;
}

// CODE-LABEL: define {{.*}} @"product$mesi$3"(
// CODE: cp.async.wait.group(i32 1)
// CODE: mma.whole:
// CODE-COUNT-512: call float @llvm.fmuladd.f32(
// CODE: mma.part:
// CODE: attributes {{.*}} convergent {{.*}}"nvvm.maxntid"="256" "nvvm.minctasm"="2"

int main() {
  float *a = 0, *b = a + (1 << 28);
  float *c = a + (1L << 32);
  dim3 block(16, 16);
  // PIN: grid 32 16 1 block 256 1 1 shared 0: product$mesi$2
  // SMALL: grid 64 32 1 block 128 1 1 shared 0: product$mesi$3
  product<<<dim3(256, 128), block>>>(a, b, c, 2048, 4096, 1024, 1);
  // PIN: grid 2 8 1 block 256 1 1 shared 0: product$mesi$2
  product<<<dim3(20, 200), dim3(7, 5)>>>(a, b, c, 1000, 140, 77, 1);
  // PIN: grid 8 8 1 block 16 16 1 shared 0: product{{$}}
  product<<<dim3(8, 8), block>>>(a, b, c, 128, 128, 0, 1);
  // PIN: grid 8 8 1 block 16 16 1 shared 0: product{{$}}
  product<<<dim3(8, 8), block>>>(a, b, a + 128 * 77 - 1, 128, 128, 77, 1);
  // PIN: grid 1 1 1 block 256 1 1 shared 0: product$mesi$2
  product<<<dim3(8, 8), block>>>(a, b, a + 128 * 77, 128, 128, 77, 1);
  // TURNED: grid 8 4 1 block 256 1 1 shared 0: turned$mesi$2
  turned<<<dim3(32, 64), block>>>(a, b, c, 500, 1000, 77);
}
