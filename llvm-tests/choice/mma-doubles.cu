// Products of doubles are worked out by tensor cores, which take them up one after the other, as the kernel does: one version is launched with a block
// for each 64 x 128 of the result, and one, for small ones, for each 32 x 64.
// REQUIRES: cuda
// RUN: %clang -O2 -DCHIP=90 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang -O2 -DCHIP=100 -c %S/Inputs/runtime.cpp -o %t.later.o
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.unknown.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:product=3 %t.exe | %FileCheck %s -check-prefix=PIN
// RUN: env MESI_CHOICE=pin:product=4 %t.exe | %FileCheck %s -check-prefix=SMALL
// RUN: env MESI_CHOICE=pin:turned=3 %t.exe | %FileCheck %s -check-prefix=TURNED
// A later chip, whose driver compiles the code anew, may sum up in another order; so may one that nobody can ask.
// RUN: %clang %t.o %t.later.o -o %t.later.exe && env MESI_CHOICE=pin:product=3 %t.later.exe | %FileCheck %s -check-prefix=OTHER
// RUN: %clang %t.o %t.unknown.o -o %t.unknown.exe && env MESI_CHOICE=pin:product=3 %t.unknown.exe | %FileCheck %s -check-prefix=OTHER
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.mma.ll && %FileCheck %s -check-prefix=CODE < %t.mma.ll
extern "C" int printf(const char *, ...);

// REMARK: product: its product is for tensor cores: tiles of 64 x 128, arg3 lines of f64 along the sum by y, arg4 lines of f64 across the sum by x
// PLAN-LABEL: plan of product
// PLAN: mma: tiles of 64 x 128, m lines of f64 along the sum by y, n lines of f64 across the sum by x
// PLAN-NEXT: mma: tiles of 32 x 64, m lines of f64 along the sum by y, n lines of f64 across the sum by x
// GATE-LABEL: define zeroext i1 @"product$mesi$2$fold$gate"
// GATE: add i64 {{%[0-9]+}}, 63
// GATE: add i64 {{%[0-9]+}}, 127
// CODE-LABEL: define {{.*}} @"product$mesi$2"(
// CODE-NEXT: mma:
// The sums begin with what the kernel's do.
// CODE: mma.head:
// CODE: = phi double [ 2.500000e+00, %mma ], [ {{%[0-9]+}}, %mma.step ]
// CODE: cp.async.wait.group(i32 0)
// CODE-NEXT: barrier.cta.sync.aligned.all(i32 0)
// One number of a line along the sum; two lines across. Behind the last product -0 is multiplied.
// CODE: mma.product:
// CODE: load double, ptr addrspace(3) {{.*}}, align 8
// CODE: load <2 x double>, ptr addrspace(3) {{.*}}, align 16
// CODE: select i1 {{%[0-9]+}}, i64 0, i64 -9223372036854775808
// CODE-COUNT-16: llvm.nvvm.mma.m16n8k16.row.col.f64(
// Where rows begin at multiples of 16 bytes, and elsewhere.
// CODE: mma.at.once:
// CODE-COUNT-4: cp.async.cg.shared.global.16.s(
// CODE: mma.plainly:
// CODE-COUNT-8: cp.async.ca.shared.global.8.s(
// CODE: mma.element:
// CODE: [[SUM:%[0-9]+]] = load double, ptr addrspace(3)
// The kernel's own code takes the sum as it is, which is what the loop began with where that would not have run.
// CODE: = fmul contract double {{.*}}[[SUM]]
extern "C" __global__ void product(const double *a, const double *b, double *c, int m, int n, int k, double w) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    double sum = 2.5;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum * w;
  }
}

// The first across, the second along; rows along x.
// PLAN-LABEL: plan of turned
// PLAN: mma: tiles of 64 x 128, m lines of f64 across the sum by x, n lines of f64 along the sum by y
extern "C" __global__ void turned(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c, size_t m, size_t n, size_t k) {
  size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x, col = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  double sum = 0;
  for (size_t i = 0; i < k; i++)
    sum = b[col * k + i] * a[i * m + row] + sum;
  c[row * n + col] = sum;
}

// CODE-LABEL: define {{.*}} @"product$mesi$3"(
// CODE: cp.async.wait.group(i32 2)
// CODE-COUNT-16: llvm.nvvm.mma.m16n8k16.row.col.f64(
// CODE: attributes {{.*}} convergent {{.*}}"nvvm.maxntid"="128" "nvvm.minctasm"="2"

int main() {
  double *a = 0, *b = a + (1 << 28);
  double *c = a + (1L << 32);
  dim3 block(16, 16);
  // PIN: grid 32 32 1 block 128 1 1 shared 0: product$mesi$2
  // SMALL: grid 64 64 1 block 64 1 1 shared 0: product$mesi$3
  // OTHER: grid 256 128 1 block 16 16 1 shared 0: product{{$}}
  product<<<dim3(256, 128), block>>>(a, b, c, 2048, 4096, 1024, 1);
  // PIN: grid 2 16 1 block 128 1 1 shared 0: product$mesi$2
  product<<<dim3(20, 200), dim3(7, 5)>>>(a, b, c, 1000, 140, 77, 1);
  // PIN: grid 8 8 1 block 16 16 1 shared 0: product{{$}}
  product<<<dim3(8, 8), block>>>(a, b, c, 128, 128, 0, 1);
  // PIN: grid 8 8 1 block 16 16 1 shared 0: product{{$}}
  product<<<dim3(8, 8), block>>>(a, b, a + 128 * 77 - 1, 128, 128, 77, 1);
  // PIN: grid 1 2 1 block 128 1 1 shared 0: product$mesi$2
  product<<<dim3(8, 8), block>>>(a, b, a + 128 * 77, 128, 128, 77, 1);
  // TURNED: grid 8 8 1 block 128 1 1 shared 0: turned$mesi$2
  turned<<<dim3(32, 64), block>>>(a, b, c, 500, 1000, 77);
}
