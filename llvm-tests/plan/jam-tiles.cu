// Iterations of an outer loop run together over whole tiles: what follows the inner loops may branch, store and carry
// values on, and threads may update what others see behind the loop. Cells of 8 bytes are read ahead half as far.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: plan of _Z7nearest
// CHECK: loop0: 4 iterations jammed in node{{[0-9]+}} over tiles, 8 iterations of its loops unrolled
// CHECK-NEXT: region0: node{{[0-9]+}} whole
// CHECK-LABEL: plan of _Z6scores
// CHECK: loop0: 4 iterations jammed in node{{[0-9]+}} over tiles
// CHECK-LABEL: plan of _Z11two_nearest
// CHECK: loop0: 4 iterations jammed in node{{[0-9]+}} over tiles
// CHECK-LABEL: plan of _Z7counted
// CHECK: no merge: threads or blocks may communicate
// CHECK-NEXT: loop0: 4 iterations jammed in node{{[0-9]+}} over tiles
// The model is sure of what it is sure of without.
// CHECK: pays: 64 <= trip(loop0)*trip(loop1)
// As many as asked for, or none. All that is legal is jammed if that is asked for.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;merge=off;unroll-jam=3>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=ASKED
// ASKED-LABEL: plan of _Z7nearest
// ASKED: loop0: 3 iterations jammed in node{{[0-9]+}} over tiles
// ASKED-LABEL: plan of _Z7doubles
// ASKED: loop0: 3 iterations jammed in node{{[0-9]+}} over tiles, 4 iterations of its loops unrolled
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;unroll-jam=1>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=NONE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;merge=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=NONE
// NONE: region0
// NONE-NOT: jammed
template <typename T> __device__ T distance(const T *x, const T *w, int d) {
  T s = 0;
  for (int k = 0; k < d; k++) {
    T e = x[k] - w[k];
    s += e * e;
  }
  return s;
}
#define ROWS const float *__restrict__ x, const float *__restrict__ w
#define IN_ROWS                                                                                                        \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return
__global__ void nearest(ROWS, int *__restrict__ at, int n, int m, int d) {
  IN_ROWS;
  float best = 3e38f;
  int b = -1;
  for (int j = 0; j < m; j++) {
    float s = distance(x + i * d, w + j * d, d);
    if (s < best) {
      best = s;
      b = j;
    }
  }
  at[i] = b;
}
__global__ void scores(ROWS, float *__restrict__ out, int n, int m, int d) {
  IN_ROWS;
  for (int j = 0; j < m; j++)
    out[j * n + i] = distance(x + i * d, w + j * d, d);
}
__global__ void two_nearest(ROWS, int *__restrict__ first, int *__restrict__ second, int n, int m, int d) {
  IN_ROWS;
  float s0 = 3e38f, s1 = 3e38f;
  int b0 = -1, b1 = -1;
  for (int j = 0; j < m; j++) {
    float s = distance(x + i * d, w + j * d, d);
    if (s < s0) {
      s1 = s0;
      b1 = b0;
      s0 = s;
      b0 = j;
    } else if (s < s1) {
      s1 = s;
      b1 = j;
    }
  }
  first[i] = b0;
  second[i] = b1;
}
__global__ void counted(ROWS, int *__restrict__ count, int n, int m, int d) {
  IN_ROWS;
  float best = 3e38f;
  int b = -1;
  for (int j = 0; j < m; j++) {
    float s = distance(x + i * d, w + j * d, d);
    if (s < best) {
      best = s;
      b = j;
    }
  }
  if (b >= 0)
    atomicAdd(&count[b], 1);
}
__global__ void doubles(const double *__restrict__ x, const double *__restrict__ w, double *__restrict__ out, int n,
                        int m, int d) {
  IN_ROWS;
  for (int j = 0; j < m; j++)
    out[j * n + i] = distance(x + i * d, w + j * d, d);
}
