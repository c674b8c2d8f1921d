// What a counter wraps around is a fact: a 64-bit one below 0 that is compared without a sign, a narrow one of `!=` beyond its
// width, and one that is tested at the header beyond the limit. Counters from 0 up to a size need none.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-affine;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -Oz -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<Oz>,print<mesi-affine;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=OZ
// CHECK-LABEL: affine of _Z5pairsPKfPfm
// CHECK: fact0: -2147483648 <= s0 <= 2147483647
// CHECK-NEXT: loop0: trip ceil((s0) / (2)), at least 1 if fact0{{$}}
// OZ-LABEL: affine of _Z5pairsPKfPfm
// OZ: fact0: -2147483648 <= s0 <= 2147483647
// OZ-NEXT: loop0: trip ceil((s0) / (2)), at least 0 if fact0{{$}}
__global__ void pairs(const float *x, float *y, size_t n) {
  float s = 0;
  for (size_t i = 0; i < n; i += 2)
    s += x[i];
  y[threadIdx.x] = s;
}
// CHECK-LABEL: affine of _Z10below_zeroPKfPfii
// CHECK: fact0: 0 <= iter(loop0) + s0 - 4 <= 9223372036854775807
// CHECK: loop0: trip ceil((-s0 + s1 + 5) / (1)), at least 1 if fact0
// OZ-LABEL: affine of _Z10below_zeroPKfPfii
// OZ: loop0: trip ceil((-s0 + s1 + 5) / (1)), at least 1 if fact0
__global__ void below_zero(const float *x, float *y, int s, int e) {
  float sum = 0;
  size_t i = (size_t)s - 5;
  do {
    sum += *x++;
    i++;
  } while (i < (size_t)e);
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: affine of _Z9from_zeroPKfPfii
// OZ-LABEL: affine of _Z9from_zeroPKfPfii
// OZ: fact0: 0 <= s0 - 5 <= 9223372036854775807
// OZ: loop0: trip ceil((-s0 + s1 + 5) / (1)), at least 0 if fact0
__global__ void from_zero(const float *x, float *y, int s, int e) {
  float sum = 0;
  for (size_t i = (size_t)s - 5; i < (size_t)e; i++)
    sum += *x++;
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: affine of _Z6narrowPKfPfii
// CHECK: fact0: 0 <= -s0 + s1 - 1 <= 65535
// CHECK: loop0: trip ceil((-s0 + s1) / (1)), at least 1 if fact0
// OZ-LABEL: affine of _Z6narrowPKfPfii
__global__ void narrow(const float *x, float *y, int s, int e) {
  float sum = 0;
  for (unsigned short k = s; k != (unsigned short)e; k++)
    sum += *x++;
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: affine of _Z4lastPKfPfii
// OZ-LABEL: affine of _Z4lastPKfPfii
// OZ: fact0: -2147483648 <= 1476395008*iter(loop0) + s0 <= 2147483647
// OZ-NEXT: fact1: -2147483648 <= s1 + 1476395007 <= 2147483647
// OZ: at least 0 if fact0, fact1
__global__ void last(const float *x, float *y, int s, int e) {
  float sum = 0;
  for (int i = s; i < e; i = (int)((unsigned)i + 0x58000000u))
    sum += *x++;
  y[threadIdx.x] = sum;
}
