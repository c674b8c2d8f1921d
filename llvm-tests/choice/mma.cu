// Products of bytes are worked out by tensor cores: one version is launched with a block for each 128 x 128 of the result.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// Pinned; a launch that tiles cannot take the place of runs the kernel.
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:product=2 %t.exe | %FileCheck %s -check-prefix=PIN
// RUN: env MESI_CHOICE=pin:swapped=2 %t.exe | %FileCheck %s -check-prefix=SWAPPED
// RUN: env MESI_CHOICE=pin:whole=3 %t.exe | %FileCheck %s -check-prefix=WHOLE
// RUN: env MESI_CHOICE=prior %t.exe | %FileCheck %s -check-prefix=PRIOR
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.mma.ll && %FileCheck %s -check-prefix=CODE < %t.mma.ll
// None where code must stay short, or where versions go into the kernel.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;code=3>' -S %t.ll | %not grep llvm.nvvm.mma
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<disable=off>' -S %t.ll | %not grep llvm.nvvm.mma
extern "C" int printf(const char *, ...);

// REMARK: product: its product is for tensor cores: tiles of 128 x 128, arg3 lines of s8 along the sum by y, arg4 lines of s8 across the sum by x
// PLAN-LABEL: plan of product
// PLAN: mma: tiles of 128 x 128, m lines of s8 along the sum by y, n lines of s8 across the sum by x
// The host asks whether the result lies apart, and how many there are.
// GATE-LABEL: define zeroext i1 @"product$mesi$1$fold$gate"
// GATE: ptrtoint ptr
// GATE: icmp ule i64 [[N:%[0-9]+]], {{%[0-9]+}}
// GATE: add i64 [[N]], 127
// GATE: udiv i64 {{%[0-9]+}}, 128
// GATE: ret i1
// CODE-LABEL: define {{.*}} @"product$mesi$1"(
// CODE-NEXT: mma:
// CODE-DAG: [[ROWS:%[0-9]+]] = sext i32 %m to i64
// CODE-DAG: [[COLUMNS:%[0-9]+]] = sext i32 %n to i64
// Strips in flight; the sums begin with nothing.
// CODE: mma.head:
// CODE: = phi i32 [ 0, %mma ], [ {{%[0-9]+}}, %mma.step ]
// CODE: cp.async.wait.group(i32 1)
// CODE-NEXT: barrier.cta.sync.aligned.all(i32 0)
// CODE: mma.fetched:
// CODE-NEXT: cp.async.commit.group
// The bytes of a matrix that lies across are turned.
// CODE: mma.product:
// CODE: load <4 x i32>, ptr addrspace(3) {{.*}}, align 16
// CODE: llvm.nvvm.prmt(i32 {{%[0-9]+}}, i32 {{%[0-9]+}}, i32 20800)
// CODE: llvm.nvvm.prmt(i32 {{%[0-9]+}}, i32 {{%[0-9]+}}, i32 21520)
// CODE-COUNT-32: llvm.nvvm.mma.m16n8k32.row.col.s8(
// Where rows begin at multiples of 16 bytes, and elsewhere.
// CODE: mma.at.once:
// CODE-COUNT-2: cp.async.cg.shared.global.16.s(
// CODE: mma.plainly:
// CODE: mma.words:
// CODE: llvm.fshr.i32
// CODE: mma.byte:
// The kernel's own code, once for each element.
// CODE: mma.element:
// CODE: [[ROW:%[0-9]+]] = add i64
// CODE: [[COLUMN:%[0-9]+]] = add i64
// CODE: icmp ult i64 [[ROW]], [[ROWS]]
// CODE: icmp ult i64 [[COLUMN]], [[COLUMNS]]
// CODE: [[SUM:%[0-9]+]] = load i32, ptr addrspace(3)
// CODE-DAG: add i32 7, [[SUM]]
// CODE-DAG: store i32 {{%[a-z0-9.]+}}, ptr %
// CODE-DAG: br label %mma.next
extern "C" __global__ void product(const signed char *a, const signed char *b, int *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    int sum = 7;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

// Rows along x, early returns, the second matrix by columns; one operand is signed.
// PLAN-LABEL: plan of swapped
// PLAN: mma: tiles of 128 x 128, m lines of u8 across the sum by x, n lines of s8 along the sum by y
// CODE-LABEL: define {{.*}} @"swapped$mesi$1"
// CODE-COUNT-32: llvm.nvvm.mma.m16n8k32.row.col.u8.s8(
extern "C" __global__ void swapped(const unsigned char *__restrict__ a, const signed char *__restrict__ b, float *__restrict__ c, size_t m, size_t n, size_t k) {
  size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x, col = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
  if (row >= m)
    return;
  if (col >= n)
    return;
  int sum = 0;
  for (size_t i = 0; i < k; i++)
    sum += a[i * m + row] * b[col * k + i];
  c[row * n + col] = sum * 0.5f;
}

// No limits: tiles must be whole. The operand is read twice.
// PLAN-LABEL: plan of whole
// PLAN: mma: tiles of 128 x 128, all lines of u8 along the sum by y, all lines of u8 along the sum by x
// CODE-LABEL: define {{.*}} @"whole$mesi$2"
// CODE-DAG: sreg.nctaid.x()
// CODE-DAG: sreg.nctaid.y()
// CODE-COUNT-32: llvm.nvvm.mma.m16n8k32.row.col.u8(
extern "C" __global__ void whole(const unsigned char *__restrict__ a, unsigned *__restrict__ c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (int i = 0; i < 256; i++)
    sum += a[row * 256 + i] * a[col * 256 + i];
  c[row * n + col] = sum;
}

// Two blocks of a multiprocessor.
// CODE: attributes {{.*}} convergent {{.*}}"nvvm.maxntid"="256" "nvvm.minctasm"="2"

int main() {
  signed char *a = 0, *b = a + (1 << 28);
  int *c = (int *)(a + (1L << 32));
  dim3 block(16, 16);
  // PIN: grid 32 16 1 block 256 1 1 shared 0: product$mesi$1
  // PRIOR: grid {{.*}}: product
  product<<<dim3(256, 128), block>>>(a, b, c, 2048, 4096, 1024);
  // Lengths that are no multiples of anything; more threads than elements.
  // PIN: grid 2 8 1 block 256 1 1 shared 0: product$mesi$1
  product<<<dim3(20, 200), dim3(7, 5)>>>(a, b, c, 1000, 140, 77);
  // Fewer threads than elements; nothing to sum up; dynamic shared memory; a result that lies in an operand. Layers stay.
  // PIN: grid 8 8 1 block 16 16 1 shared 0: product{{$}}
  product<<<dim3(8, 8), block>>>(a, b, c, 128, 129, 77);
  // PIN: grid 8 8 1 block 16 16 1 shared 0: product{{$}}
  product<<<dim3(8, 8), block>>>(a, b, c, 128, 128, 0);
  // PIN: grid 1 1 2 block 256 1 1 shared 0: product$mesi$1
  product<<<dim3(8, 8, 2), block>>>(a, b, c, 128, 128, 77);
  // PIN: grid 8 8 1 block 16 16 1 shared 64: product{{$}}
  product<<<dim3(8, 8), block, 64>>>(a, b, c, 128, 128, 77);
  // PIN: grid 8 8 1 block 16 16 1 shared 0: product{{$}}
  product<<<dim3(8, 8), block>>>(a, b, (int *)(a + 128 * 77 - 4), 128, 128, 77);
  // PIN: grid 1 1 1 block 256 1 1 shared 0: product$mesi$1
  product<<<dim3(8, 8), block>>>(a, b, (int *)(a + 128 * 77), 128, 128, 77);
  // SWAPPED: grid 8 4 1 block 256 1 1 shared 0: swapped$mesi$1
  swapped<<<dim3(32, 64), block>>>((unsigned char *)a, b, (float *)c, 500, 1000, 77);
  // WHOLE: grid 4 2 1 block 256 1 1 shared 0: whole$mesi$2
  whole<<<dim3(32, 16), block>>>((unsigned char *)a, (unsigned *)c, 512);
  // WHOLE: grid 31 16 1 block 16 16 1 shared 0: whole{{$}}
  whole<<<dim3(31, 16), block>>>((unsigned char *)a, (unsigned *)c, 512);
}
