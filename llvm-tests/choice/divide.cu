// Divisions by numbers of a launch are multiplications in a version, which gets reciprocals that the host works out.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// Pinned, whatever the model says; a launch by what is no divisor runs the kernel.
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:signs=1 %t.exe | %FileCheck %s -check-prefix=SIGNS
// RUN: env MESI_CHOICE=pin:wide=1 %t.exe | %FileCheck %s -check-prefix=WIDE
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE

// REMARK: signs: divisions by numbers of its launch can be multiplications: 2 divisions by 1 number
// PLAN-LABEL: plan of signs
// PLAN: divide: 2 divisions by 1 number
// The divisor has 32 bits, and is 1 at least. Nothing is divided by 0.
// GATE-LABEL: define zeroext i1 @"signs$mesi$0$fold$gate"
// GATE: [[D:%[0-9]+]] = sext i32 %{{[0-9]+}} to i64
// GATE: [[LESS:%[0-9]+]] = sub i64 [[D]], 1
// GATE: [[IS:%[0-9]+]] = icmp ult i64 [[LESS]], 4294967295
// GATE: [[BY:%[0-9]+]] = select i1 [[IS]], i64 [[D]], i64 1
// GATE: call i64 @llvm.ctlz.i64
// GATE: udiv i64 %{{[0-9]+}}, [[BY]]
// GATE: ret i1 [[IS]]
// CODE-LABEL: define {{.*}} @"signs$mesi$0"(ptr {{.*}}, i32 {{.*}}, ptr byval([4 x i32]) align 4 %{{[0-9a-z]+}})
// CODE-NOT: div
// CODE-NOT: rem
// CODE: [[PRODUCT:%[0-9]+]] = mul i64
// CODE: [[SHIFTED:%[0-9]+]] = lshr i64 [[PRODUCT]], 32
// CODE: [[HIGH:%[0-9]+]] = trunc i64 [[SHIFTED]] to i32
// CODE: [[SUM:%[0-9]+]] = add i32 [[N:%[^,]+]], [[HIGH]]
// CODE: [[DOWN:%[0-9]+]] = ashr i32 [[SUM]], %{{[0-9]+}}
// CODE: [[SIGN:%[0-9]+]] = ashr i32 [[N]], 31
// CODE: sub i32 [[DOWN]], [[SIGN]]
// CODE: ret void
extern "C" __global__ void signs(int *a, int w) {
  int i = a[threadIdx.x];
  a[threadIdx.x] = i / w * 1000 + i % w;
}
// Of 64 bits: a division by no more than 32 is made by two steps. Two divisors in the order in which they come.
// PLAN-LABEL: plan of wide
// PLAN: divide: 3 divisions by 2 numbers
// GATE-LABEL: define zeroext i1 @"wide$mesi$0$fold$gate"
// GATE: urem i64
// GATE: ret i1
// CODE-LABEL: define {{.*}} @"wide$mesi$0"(ptr {{.*}}, i64 {{.*}}, i64 {{.*}}, ptr byval([8 x i32]) align 4 %{{[0-9a-z]+}})
// CODE-NOT: div
// CODE-NOT: rem
// CODE: mul i128
// CODE: ret void
extern "C" __global__ void wide(unsigned long long *a, unsigned long long w, unsigned long long h) {
  unsigned long long i = a[threadIdx.x];
  a[threadIdx.x] = i / w % h + i % w;
}
// A loop that divides, and one in front of which another number is: both are replaced.
// PLAN-LABEL: plan of loops
// PLAN: divide: 2 divisions by 2 numbers
extern "C" __global__ void loops(unsigned *a, unsigned n, unsigned w, unsigned h) {
  unsigned start = threadIdx.x / h;
  for (unsigned i = start; i < n; i += blockDim.x) a[i] = a[i] / w;
}
// What is not a number of the launch stays.
// PLAN-LABEL: plan of some
// PLAN: divide: 1 division by 1 number
// CODE-LABEL: define {{.*}} @"some$mesi$0"
// CODE: udiv i32
// CODE: ret void
extern "C" __global__ void some(int *a, int w) { a[threadIdx.x] = a[threadIdx.x] / w + threadIdx.x / a[0]; }

int main() {
  int *p = 0;
  unsigned long long *q = 0;
  // The program's own launch.
  // SIGNS: grid 7 1 1 block 64 1 1 shared 0: signs$mesi$0
  signs<<<7, 64>>>(p, 12);
  // SIGNS: grid 7 2 1 block 32 2 1 shared 0: signs$mesi$0
  signs<<<dim3(7, 2), dim3(32, 2)>>>(p, 2147483647);
  // SIGNS: grid 7 1 1 block 64 1 1 shared 0: signs$mesi$0
  signs<<<7, 64>>>(p, 1);
  // SIGNS: grid 7 1 1 block 64 1 1 shared 0: signs{{$}}
  signs<<<7, 64>>>(p, 0);
  // SIGNS: grid 7 1 1 block 64 1 1 shared 0: signs{{$}}
  signs<<<7, 64>>>(p, -3);
  // WIDE: grid 7 1 1 block 64 1 1 shared 0: wide$mesi$0
  wide<<<7, 64>>>(q, 5, 4294967295ull);
  // WIDE: grid 7 1 1 block 64 1 1 shared 0: wide{{$}}
  wide<<<7, 64>>>(q, 5, 4294967296ull);
  // WIDE: grid 7 1 1 block 64 1 1 shared 0: wide{{$}}
  wide<<<7, 64>>>(q, 0, 3);
}
