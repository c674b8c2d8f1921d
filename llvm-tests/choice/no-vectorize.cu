// Kernels whose loops by the block's size stay as they are, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
#define FOR(n) for (int i = threadIdx.x; i < n; i += blockDim.x)
#define KERNEL extern "C" __global__ void

// CHECK-LABEL: plan of yes
// CHECK: {{^ *}}vectorize: 1 loop
KERNEL yes(float *a, const float *b, int n) { FOR(n) a[i] = b[i] + 1; }
// CHECK-LABEL: plan of waits
// CHECK: no vectorize: its threads may wait for others, or it cannot be cloned
KERNEL waits(float *a, volatile int *flag, int n) {
  while (*flag == 0) ;
  FOR(n) a[i] = 1;
}
// CHECK-LABEL: plan of carries
// CHECK: no vectorize: an iteration hands something to the next, or to what follows
KERNEL carries(float *a, const float *b, int n) {
  float s = 0;
  FOR(n) { s += b[i]; a[i] = s; }
}
// CHECK-LABEL: plan of crosses
// CHECK: no vectorize: LLVM may bring products to sums in one of the two alone
KERNEL crosses(float *a, const float *b, float c, float d, int n) { FOR(n) a[i] = b[i] + c * d; }
// The first iteration is not asked about.
// CHECK-LABEL: plan of count
// CHECK: no vectorize: how often it runs is not known before it, for all threads
KERNEL count(float *a, const float *b, int n) {
  int i = threadIdx.x;
  do { a[i] = b[i] + 1; i += blockDim.x; } while (i < n);
}
// Some threads have left.
// CHECK-LABEL: plan of leave
// CHECK: no vectorize: threads may not all come to it, or have numbers of their own
KERNEL leave(float *a, const float *b, int n, int m) {
  if (threadIdx.x >= m) return;
  a[-1 - threadIdx.x] = 0;
  FOR(n) a[i] = b[i] + 1;
}
// CHECK-LABEL: plan of numbers
// CHECK: no vectorize: threads may not all come to it, or have numbers of their own
KERNEL numbers(float *a, const float *b, int n) {
  float mine = b[threadIdx.x];
  FOR(n) a[i] = b[i] + mine;
}
// CHECK-LABEL: plan of own_number
// CHECK: no vectorize: threads may not all come to it, or have numbers of their own
KERNEL own_number(int *a, const int *b, int n) { FOR(n) a[i] = b[i] + threadIdx.x; }
// CHECK-LABEL: plan of length
// CHECK: no vectorize: threads may not all come to it, or have numbers of their own
KERNEL length(float *a, const float *b, const int *n) { FOR(n[threadIdx.x]) a[i] = b[i] + 1; }
// CHECK-LABEL: plan of updates
// CHECK: no vectorize: threads have to do with each other in it
KERNEL updates(float *a, int *b, int n) { FOR(n) { a[i] = 1; atomicAdd(b, 1); } }
// CHECK-LABEL: plan of own
// CHECK: no vectorize: threads have to do with each other in it
KERNEL own(float *a, const float *b, int n) {
  __shared__ float row[4096];
  FOR(n) row[i] = b[i];
  __syncthreads();
  FOR(n) a[i] = row[n - 1 - i];
}
// CHECK-LABEL: plan of scattered
// CHECK: no vectorize: what it stores does not lie side by side
KERNEL scattered(float *a, const float *b, int n) { FOR(n) a[2 * i] = b[i]; }
// CHECK-LABEL: plan of sometimes
// CHECK: no vectorize: what it stores does not lie side by side
KERNEL sometimes(float *a, const float *b, int n) { FOR(n) if (b[i] > 0) a[i] = b[i]; }
// CHECK-LABEL: plan of wide
// CHECK: no vectorize: its cells have 16 bytes already
typedef float four __attribute__((ext_vector_type(4)));
KERNEL wide(four *a, const four *b, int n) { FOR(n) a[i] = b[i] + 1; }
// CHECK-LABEL: plan of meets
// CHECK: no vectorize: what it loads may be what it stores
KERNEL meets(float *a, const int *b, const float *c, int n) { FOR(n) a[i] = c[b[i]]; }
// The second loop's threads have had other cells in the first, with no barrier in between.
// CHECK-LABEL: plan of outside
// CHECK: no vectorize: what it touches may be touched outside, with no barrier in between
KERNEL outside(float *a, const float *b, int n) {
  float s = 0;
  FOR(n) s += a[i];
  FOR(n) a[i] = b[i];
  if (s > 0) b = 0;
  FOR(n) a[i] *= 2;
}
// Run again over less of the row, it would hand a cell to another thread than before; a barrier in between helps.
// CHECK-LABEL: plan of again
// CHECK: no vectorize: what it touches may be touched outside, with no barrier in between
KERNEL again(float *a, const float *b, int n, int m) { for (int k = 0; k < m; k++) FOR(n - k) a[i] += b[k]; }
// CHECK-LABEL: plan of by_barrier
// CHECK: {{^ *}}vectorize: 1 loop
KERNEL by_barrier(float *a, const float *b, int n, int m) {
  for (int k = 0; k < m; k++) {
    FOR(n - k) a[i] += b[k];
    __syncthreads();
  }
}
// CHECK-LABEL: plan of end
KERNEL end(int *a) { a[0] = 1; }
