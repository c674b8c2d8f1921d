// The host side of a compile is the same, byte for byte, with the plug-in and without.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-host-only -O2 -S -emit-llvm %s -o %t.without.ll
// RUN: %clang %cuda-flags --cuda-host-only -O2 -S -emit-llvm %s -o %t.with.ll -fpass-plugin=%mesi -mllvm -mesi-force
// RUN: cmp %t.without.ll %t.with.ll
__global__ void one(float *p) { p[0] = 1; }
void launch(float *p) { one<<<1, 1>>>(p); }
