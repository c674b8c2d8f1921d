// clang reports a fault of ours as an error and ends with status 1: no "PLEASE submit a bug report",
// no reproducer, no object file.
// REQUIRES: cuda
// RUN: rm -f %t.o
// RUN: %not %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-panic-at=kernel > %t.err 2>&1
// RUN: test ! -e %t.o
// RUN: %FileCheck %s < %t.err
// CHECK: error: mesi: internal error in kernel 'ns::one', stage kernel: asked for by panic-at=kernel
// CHECK-NOT: {{PLEASE|Stack dump|warning}}
// CHECK: 1 error generated
namespace ns {
__global__ void one(float *p) { p[0] = 1; }
}
