// A malformed annotation of ours is a warning at its kernel's line; the program still compiles.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -c %s -o %t.o -fpass-plugin=%mesi > %t.err 2>&1
// RUN: %FileCheck %s < %t.err
// CHECK: annotations-malformed.cu:[[@LINE+6]]:{{[0-9]+}}: warning: mesi: annotation "mesi.of" is ignored: valid are "mesi.off" and "mesi.block=X,Y,Z"
// CHECK: annotations-malformed.cu:[[@LINE+6]]:{{[0-9]+}}: warning: mesi: annotation "mesi.block=16,16,16" is ignored: expected a block shape such as 16x16x1
// CHECK: 2 warnings generated when compiling for sm_80
// With -Werror it fails, as any warning.
// RUN: %not %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -Werror -c %s -o %t.o -fpass-plugin=%mesi
#define MESI(what) __attribute__((annotate(what)))
MESI("mesi.of") __global__ void one(float *p) { p[0] = 1; }
MESI("mesi.block=16,16,16") __global__ void two(float *p) { p[0] = 2; }
