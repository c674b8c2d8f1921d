// Kernels whose divisions stay, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.rdc.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.rdc.ll 2>&1 | %FileCheck %s -check-prefix=RDC

// Threads that wait for others.
// CHECK-LABEL: plan of waits
// CHECK: no divide: its threads may wait for others, or it cannot be cloned
extern "C" __global__ void waits(int *a, volatile int *flag, int w) {
  while (*flag == 0) ;
  a[threadIdx.x] = a[threadIdx.x] / w;
}
// RDC-LABEL: plan of _Z6mergedIiEvPT_S0_
// RDC: no divide: several files may have it
template <typename T> __global__ void merged(T *a, T w) { a[threadIdx.x] = a[threadIdx.x] / w; }
template __global__ void merged<int>(int *, int);
// CHECK-LABEL: plan of parameters
// CHECK: no divide: it has too many parameters
#define P(x) int x##0, int x##1, int x##2, int x##3, int x##4, int x##5, int x##6, int x##7
extern "C" __global__ void parameters(int *a, P(b), P(c), P(d), P(e)) { a[threadIdx.x] = a[threadIdx.x] / b0 + e7; }
// Of memory, and of a thread's own numbers.
// CHECK-LABEL: plan of loaded
// CHECK: no divide: the host knows none of the numbers that it divides by
extern "C" __global__ void loaded(int *a, const int *w) { a[threadIdx.x] = a[threadIdx.x] / *w; }
// CHECK-LABEL: plan of places
// CHECK: no divide: the host knows none of the numbers that it divides by
extern "C" __global__ void places(int *a) { a[threadIdx.x] = a[threadIdx.x] / (threadIdx.x + 1); }
// One division before a loop is not what takes time.
// CHECK-LABEL: plan of before
// CHECK: no divide: its loops divide nothing
extern "C" __global__ void before(float *a, int n, int w) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / w;
  for (int k = 0; k < n; k++) a[row * n + k] *= 2;
}
// What is constant LLVM replaces; there are no instructions for fewer bits, or more; floats are other numbers.
// CHECK-LABEL: plan of constant
// CHECK-NOT: divide:
extern "C" __global__ void constant(int *a, float *b, __int128 *c, float w, __int128 v) {
  a[threadIdx.x] = a[threadIdx.x] / 12;
  b[threadIdx.x] = b[threadIdx.x] / w;
  c[threadIdx.x] = c[threadIdx.x] / v;
}
// CHECK-LABEL: plan of end
extern "C" __global__ void end(int *a) { a[0] = 1; }
