// Kernels whose threads keep their arrays where they are, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.rdc.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.rdc.ll 2>&1 | %FileCheck %s -check-prefix=RDC

// Threads that wait for others.
// CHECK-LABEL: plan of waits
// CHECK: no local_columns: its threads may wait for others, or it cannot be cloned
extern "C" __global__ void waits(const int *x, int *out, volatile int *flag, int n) {
  int count[8] = {0};
  while (*flag == 0) ;
  for (int k = 0; k < n; k++) count[x[k]]++;
  out[threadIdx.x] = count[x[0]];
}
// RDC-LABEL: plan of _Z6mergedIiEvPKT_PS0_i
// RDC: no local_columns: several files may have it
template <typename T> __global__ void merged(const T *x, T *out, int n) {
  T count[8] = {0};
  for (int k = 0; k < n; k++) count[x[k]]++;
  out[threadIdx.x] = count[x[0]];
}
template __global__ void merged<int>(const int *, int *, int);
// CHECK-LABEL: plan of dynamic
// CHECK: no local_columns: it has dynamic shared memory already
extern "C" __global__ void dynamic(const int *x, int *out, int n) {
  extern __shared__ int shared[];
  int count[8] = {0};
  for (int k = 0; k < n; k++) count[x[k]]++;
  shared[threadIdx.x] = count[x[0]];
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x ^ 1];
}
// A product that is put in a cell and added from there: in one block, where LLVM sees what the cell holds.
// CHECK-LABEL: plan of products
// CHECK: no local_columns: LLVM may bring products to sums in one of the two alone
extern "C" __global__ void products(const int *x, const float *w, float *out, int n) {
  float cell[8] = {0};
  float sum = 0;
  for (int k = 0; k < n; k++) {
    cell[x[k]] = w[k] * w[k + n];
    sum += cell[x[k + 1]];
  }
  out[threadIdx.x] = sum;
}
// A product that the next iteration adds to: how often the loop is unrolled decides whether they meet.
// CHECK-LABEL: plan of carried
// CHECK: no local_columns: LLVM may bring products to sums in one of the two alone
extern "C" __global__ void carried(const int *x, const float *w, float *out, int n) {
  float cell[8] = {0};
  float sum = 0;
  for (int k = 0; k < n; k++) {
    cell[x[k]] = w[k];
    sum = (sum + cell[x[k + 1]]) * w[k + n];
  }
  out[threadIdx.x] = sum;
}
// Its address is handed on.
// CHECK-LABEL: plan of handed
// CHECK: no local_columns: the address of its array is used otherwise
__device__ __attribute__((noinline)) void fill(int *a, int n) {
  for (int k = 0; k < n; k++) a[k] = n;
}
extern "C" __global__ void handed(const int *x, int *out, int n) {
  int count[8];
  fill(count, n);
  out[threadIdx.x] = count[x[0]];
}
// CHECK-LABEL: plan of fickle
// CHECK: no local_columns: the address of its array is used otherwise
extern "C" __global__ void fickle(const int *x, int *out, int n) {
  volatile int count[8];
  for (int k = 0; k < n; k++) count[x[k]] = k;
  out[threadIdx.x] = count[x[0]];
}
// One of two arrays.
// CHECK-LABEL: plan of either
// CHECK: no local_columns: the address of its array is used otherwise
extern "C" __global__ void either(const int *x, int *out, int n) {
  int a[8] = {0}, b[8] = {0};
  for (int k = 0; k < n; k++) {
    int *p = x[k] > 0 ? a : b;
    p[x[k + n] & 7]++;
  }
  out[threadIdx.x] = a[x[0] & 7] - b[x[1] & 7];
}
// A part of unknown length is filled.
// CHECK-LABEL: plan of filled
// CHECK: no local_columns: its array is copied, or an unknown part of it filled
extern "C" __global__ void filled(const int *x, int *out, int n) {
  int count[8];
  memset(count, 0, x[0]);
  for (int k = 0; k < n; k++) count[x[k]]++;
  out[threadIdx.x] = count[x[1]];
}
// CHECK-LABEL: plan of copied
// CHECK: no local_columns: its array is copied, or an unknown part of it filled
extern "C" __global__ void copied(const int *x, int *out, int n) {
  int count[8];
  memcpy(count, x, sizeof count);
  for (int k = 0; k < n; k++) count[x[k]]++;
  out[threadIdx.x] = count[x[1]];
}
// Four bytes from anywhere.
// CHECK-LABEL: plan of straddling
// CHECK: no local_columns: accesses to its array may reach over a word's end
extern "C" __global__ void straddling(const int *x, int *out, int n) {
  char bytes[16] = {0};
  int sum = 0;
  for (int k = 0; k < n; k++) {
    bytes[x[k]]++;
    int v;
    memcpy(&v, bytes + x[k + n], 4);
    sum += v;
  }
  out[threadIdx.x] = sum;
}
// Loops that run a fixed number of times are unrolled as far as that pays.
// CHECK-LABEL: plan of counters
// CHECK: no local_columns: its arrays are indexed by counters of fixed loops alone
extern "C" __global__ void counters(const int *x, int *out) {
  int last[100];
  for (int k = 0; k < 100; k++) last[k] = x[k] * x[k + 1];
#pragma unroll 1
  for (int j = 0; j < 10; j++)
#pragma unroll 1
    for (int k = 1; k < 100; k++) last[k] = last[k] * last[k - 1] + j;
  for (int k = 0; k < 100; k++) out[k * blockDim.x + threadIdx.x] = last[k];
}
// CHECK-LABEL: plan of large
// CHECK: no local_columns: its array is too large for shared memory
extern "C" __global__ void large(const int *x, int *out, int n) {
  int count[129] = {0};
  for (int k = 0; k < n; k++) count[x[k]]++;
  out[threadIdx.x] = count[x[0]];
}
// No array is in memory.
// CHECK-LABEL: plan of none
// CHECK-NOT: local_columns
extern "C" __global__ void none(const int *x, int *out) {
  int a[4];
  for (int k = 0; k < 4; k++) a[k] = x[k];
  out[threadIdx.x] = a[0] + a[3];
}
// CHECK-LABEL: plan of end
extern "C" __global__ void end(int *a) { a[0] = 1; }
// Of arrays that counters index: loops that would be too long, and a product that is put in a cell and added from there.
#define ONE(v) v = v * w[i] + w[i + 1]; v = v * v + w[i + 2];
#define FOUR(v) ONE(v) ONE(v) ONE(v) ONE(v)
#define MANY(v) FOUR(v) FOUR(v) FOUR(v) FOUR(v)
// CHECK-LABEL: plan of too_long
// CHECK: no local_columns: its arrays are indexed by counters of fixed loops alone
// CHECK-NEXT: no local_columns: unrolled, its loops would be too long, or its arrays more than a thread's registers
extern "C" __global__ void too_long(const float *w, float *out, int n) {
  float cell[128];
  for (int i = 0; i < 128; i++) cell[i] = w[i];
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 128; i++) { MANY(cell[i]) MANY(cell[i]) }
  for (int i = 0; i < 128; i++) out[threadIdx.x * 128 + i] = cell[i];
}
// CHECK-LABEL: plan of counted_products
// CHECK: no local_columns: its arrays are indexed by counters of fixed loops alone
// CHECK-NEXT: no local_columns: LLVM may bring products to sums in one of the two alone
extern "C" __global__ void counted_products(const float *w, float *out, int n) {
  float cell[128], sum = 0;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < 128; i++) cell[i] = w[i] * w[i + k];
    for (int i = 0; i < 128; i++) sum += cell[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
