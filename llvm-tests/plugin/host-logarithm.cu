// What the library's distributions ask of an engine, and what looks like it. Nothing needs a kernel.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-host-only -O2 -fmath-errno -S -emit-llvm %s -o - -fpass-plugin=%mesi | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-host-only -O2 -fno-math-errno -S -emit-llvm %s -o - -fpass-plugin=%mesi | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-host-only -O2 -S -emit-llvm %s -o - -fpass-plugin=%mesi -mllvm -mesi-disable | %FileCheck %s --check-prefix=OFF
#define BITS(range) (unsigned long)(__builtin_logl(range) / __builtin_logl(2.0L))
// CHECK-LABEL: twister
// CHECK: ret i64 32
// OFF-LABEL: twister
// OFF: fptoui
unsigned long twister() { return BITS(4294967296.0L); }
// CHECK-LABEL: longer
// CHECK: ret i64 64
unsigned long longer() { return BITS(18446744073709551616.0L); }
// CHECK-LABEL: minimal
// CHECK: ret i64 30
unsigned long minimal() { return BITS(2147483646.0L); }
// Its logarithm may be rounded down, or it is no number above 1, none that double holds, none that is known, or no whole part.
// CHECK-LABEL: carries
// CHECK: fptoui
unsigned long carries() { return BITS(16777216.0L); }
// CHECK-LABEL: negative
// CHECK: fptoui
unsigned long negative() { return BITS(-4294967296.0L); }
// CHECK-LABEL: odd
// CHECK: fptoui
unsigned long odd() { return BITS(18446744073709551615.0L); }
// CHECK-LABEL: unknown
// CHECK: fptoui
unsigned long unknown(long double range) { return BITS(range); }
// CHECK-LABEL: broken
// CHECK: fdiv
long double broken() { return __builtin_logl(4294967296.0L) / __builtin_logl(2.0L); }
