// Loops that store are not dealt out to warps, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*are split" %t.remarks
// CHECK: yes{{.*}}: its loops that store are split
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define LOOP for (int k = 0; k < n; k++)
#define PARAMETERS const float *__restrict__ a, float *__restrict__ y, int n
__global__ void yes(PARAMETERS) {
  int i = ID;
  LOOP y[i * n + k] = a[i * n + k] / 3;
}
// All iterations write one cell: the last one's stays.
__global__ void no_one_cell(PARAMETERS) {
  int i = ID;
  LOOP if (a[i * n + k] > 0) y[i] = a[i * n + k] / 3;
}
// An iteration loads what the one before it stored.
__global__ void no_neighbour(float *y, int n) {
  int i = ID;
  for (int k = 1; k < n; k++)
    y[i * n + k] += y[i * n + k - 1] / 3;
}
// An iteration writes a cell of the next one.
__global__ void no_next(PARAMETERS) {
  int i = ID;
  LOOP {
    y[i * n + k] = a[i * n + k] / 3;
    y[i * n + k + 1] = 3;
  }
}
// An iteration loads from where another one stored, or not.
__global__ void no_elsewhere(float *y, const int *at, int n) {
  int i = ID;
  LOOP y[i * n + k] = y[at[k]] / 3;
}
// It may do so in another array, which nobody says is one.
__global__ void no_other_array(const float *a, float *y, const int *__restrict__ at, int n) {
  int i = ID;
  LOOP y[i * n + k] = a[at[k]] / 3;
}
// Where an iteration stores lies in memory: two may store in one cell.
__global__ void no_place(PARAMETERS, const int *__restrict__ at) {
  int i = ID;
  LOOP y[at[i * n + k]] = a[i * n + k] / 3;
}
// It hangs on a product of what is counted.
__global__ void no_square(PARAMETERS) {
  int i = ID;
  LOOP y[i + k * k] = a[i * n + k] / 3;
}
// Numbers come round, and with them the cells.
__global__ void no_round(const float *__restrict__ a, float *__restrict__ y, int n) {
  unsigned i = ID;
  LOOP y[(unsigned char)(i + k)] = a[i * n + k] / 3;
}
// A loop in the loop, too short to be dealt out, stores in cells of its own count.
__global__ void no_inner(PARAMETERS) {
  int i = ID;
  LOOP
#pragma clang loop unroll(disable)
    for (int j = 0; j < 7; j++)
      y[(i * n + k) * 7 + j] = a[i * n + k] / (j + 3);
}
// Cells of neighbours in time lie in other sectors: those of neighbouring threads are neighbours.
__global__ void no_column(PARAMETERS) {
  int i = ID;
  LOOP y[i + k * 4096] = a[i + k * 4096] / 3;
}
__global__ void no_pitch(PARAMETERS) {
  int i = ID;
  LOOP y[i + k * n] = a[i + k * n] / 3;
}
// Iterations are as many as is known: LLVM may write them out, and fuse a product with the sum that loads it.
__global__ void no_known_length(PARAMETERS, float *__restrict__ s) {
  int i = ID;
  for (int k = 0; k < 4096; k++)
    y[i * n + k] = a[i * n + k] * 3;
}
// What is stored is what is carried.
__global__ void no_prefix(PARAMETERS) {
  int i = ID;
  float sum = 0;
  LOOP {
    sum += a[i * n + k];
    y[i * n + k] = sum;
  }
}
// An iteration shares a product with the next one: which of two a sum is fused with hangs on how far LLVM unrolls.
__global__ void no_shared_product(const float *__restrict__ a, float *__restrict__ y, int n, float w) {
  int i = ID;
  LOOP y[i * n + k] = fabsf(a[i * n + k] * w + a[i * n + k + 1] * w);
}
