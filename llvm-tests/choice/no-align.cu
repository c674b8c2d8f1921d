// Kernels whose pointers are not taken for aligned, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.rdc.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.rdc.ll 2>&1 | %FileCheck %s -check-prefix=RDC

// Threads that wait for others.
// CHECK-LABEL: plan of waits
// CHECK: no align: its threads may wait for others, or it cannot be cloned
extern "C" __global__ void waits(float *a, volatile int *flag) {
  while (*flag == 0) ;
  a[2 * threadIdx.x] = 1;
  a[2 * threadIdx.x + 1] = 2;
}
// RDC-LABEL: plan of _Z6mergedIiEvPT_
// RDC: no align: several files may have it
template <typename T> __global__ void merged(T *a) {
  a[2 * threadIdx.x] = 1;
  a[2 * threadIdx.x + 1] = 2;
}
template __global__ void merged<int>(int *);
// One pair of nineteen.
// CHECK-LABEL: plan of few
// CHECK: no align: too few loads and stores would become one
extern "C" __global__ void few(float *__restrict__ a, const float *__restrict__ b, int n) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 17; k++) sum += b[k * n + threadIdx.x];
  a[2 * threadIdx.x] = sum;
  a[2 * threadIdx.x + 1] = -sum;
}
// Records of three words, and numbers at odd places; what clang knows to be aligned; neighbours in other blocks of code;
// what others look at; pointers that are loaded.
// CHECK-LABEL: plan of none
// CHECK-NOT: align:
extern "C" __global__ void none(float *__restrict__ a, float4 *__restrict__ b, volatile float *c, float **d, int n) {
  int i = threadIdx.x;
  a[3 * i] = 1;
  a[3 * i + 1] = 2;
  a[2 * n * i + 2001] = 1;
  a[2 * n * i + 2002] = 2;
  float4 v = b[i];
  v.x += 1;
  b[i] = v;
  a[4 * i + 1000] = 1;
  if (i > n) a[4 * i + 1001] = 2;
  c[2 * i] = 1;
  c[2 * i + 1] = 2;
  d[i][0] = 1;
  d[i][1] = 2;
}
// Numbers within a parameter that is passed by value, and pointers that are numbers.
struct Numbers {
  float n[64];
};
// CHECK-LABEL: plan of by_value
// CHECK-NOT: align:
extern "C" __global__ void by_value(Numbers v, float *o, unsigned long long a) {
  int k = threadIdx.x;
  float *p = (float *)a;
  o[threadIdx.x] = v.n[2 * k] + v.n[2 * k + 1] + p[2 * k] + p[2 * k + 1];
}
// CHECK-LABEL: plan of end
extern "C" __global__ void end(int *a) { a[0] = 1; }
