// Loops that do not become a dimension of the grid, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2> %t.plan
// RUN: %FileCheck %s < %t.plan
// RUN: %not grep -q "^  collapsed" %t.plan && %not grep -q "mesi.copy" %t.plan
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define ROWS int i = ID; if (i < m)
#define PARAMETERS const float *__restrict__ x, float *__restrict__ y, int m, int n
extern "C" {
// The next iteration's cell is read.
// CHECK-LABEL: plan of next_cell
// CHECK: not collapsed: iterations may touch the same cell: access1, access0
__global__ void next_cell(PARAMETERS) {
  ROWS for (int j = 0; j < n - 1; j++) y[i * n + j] = y[i * n + j + 1];
}
// So is the next thread's.
// CHECK-LABEL: plan of next_row
// CHECK: not collapsed: iterations may touch the same cell: access1, access0
__global__ void next_row(PARAMETERS) {
  ROWS for (int j = 0; j < n; j++) y[i * n + j] = y[i * n + n + j];
}
// Layers that meet in the middle.
// CHECK-LABEL: plan of too_deep
// CHECK: not collapsed: iterations may touch the same cell
__global__ void too_deep(float *y, int n) {
  int i = ID;
  if (i < n)
    for (int j = 0; j < n; j++) {
      float t = y[i * n + j];
      y[i * n + j] = y[(n - 1 - i) * n + j];
      y[(n - 1 - i) * n + j] = t;
    }
}
// Rows that are longer than they lie apart.
// CHECK-LABEL: plan of long_rows
// CHECK: not collapsed: iterations may touch the same cell
__global__ void long_rows(PARAMETERS) {
  ROWS for (int j = 0; j <= n; j++) y[i * n + j] = x[i * n + j];
}
// Where it is stored is read.
// CHECK-LABEL: plan of told
// CHECK: not collapsed: iterations may touch the same cell
__global__ void told(PARAMETERS, const int *__restrict__ at) {
  ROWS for (int j = 0; j < n; j++) y[at[i * n + j]] = x[i * n + j];
}
// A sum that goes on.
// CHECK-LABEL: plan of sums
// CHECK: not collapsed: it carries something besides counters
__global__ void sums(PARAMETERS) {
  float s = 0;
  ROWS for (int j = 0; j < n; j++) y[i * n + j] = s += x[i * n + j];
}
// Something is stored in front of it.
// CHECK-LABEL: plan of before
// CHECK: not collapsed: something is stored, or what it stores is loaded, outside
__global__ void before(PARAMETERS) {
  ROWS {
    y[i * n] = 1;
    for (int j = 1; j < n; j++) y[i * n + j] = x[i * n + j];
  }
}
// A loop before it, which each iteration would run again.
// CHECK-LABEL: plan of loop_before
// CHECK: not collapsed: there are loops before it
__global__ void loop_before(PARAMETERS) {
  ROWS {
    float most = 0;
    for (int j = 0; j < n; j++) most = most < x[i * n + j] ? x[i * n + j] : most;
    for (int j = 0; j < n; j++) y[i * n + j] = x[i * n + j] / most;
  }
}
// Updates.
// CHECK-LABEL: plan of updates
// CHECK: not collapsed: it updates cells
__global__ void updates(const int *__restrict__ x, int *__restrict__ y, int m, int n) {
  ROWS for (int j = 0; j < n; j++) atomicAdd(&y[x[i * n + j]], 1);
}
// Without a sign: that a layer has an end above its begin, of which a difference is all that is known, is not followed.
// CHECK-LABEL: plan of unsigned_whole
// CHECK: not collapsed: how often it runs at most is not known
__global__ void unsigned_whole(float *m, unsigned n) {
  unsigned first = ID;
  if (first < n)
    for (unsigned i = first; i < n - 1 - first; i++) {
      float top = m[first * n + i];
      m[first * n + i] = m[(n - 1 - first) * n + i];
      m[(n - 1 - first) * n + i] = top;
    }
}
// A layer too many without a sign: an odd number's half is rounded up.
// CHECK-LABEL: plan of unsigned_deep
// CHECK: not collapsed:
__global__ void unsigned_deep(float *m, unsigned n) {
  unsigned first = ID;
  if (first < (n + 2) / 2)
    for (unsigned i = first; i < n; i++) {
      float top = m[first * n + i];
      m[first * n + i] = m[(n - 1 - first) * n + i];
      m[(n - 1 - first) * n + i] = top;
    }
}
// How long it is lies in memory.
// CHECK-LABEL: plan of read_length
// CHECK: not collapsed: how often it runs at most is not known
__global__ void read_length(PARAMETERS, const int *__restrict__ length) {
  ROWS for (int j = 0; j < length[i]; j++) y[i * n + j] = x[i * n + j];
}
// Threads have neighbours in memory.
// CHECK-LABEL: plan of columns
// CHECK: not collapsed: neighbours among threads are neighbours in memory
__global__ void columns(PARAMETERS) {
  ROWS for (int j = 0; j < n; j++) y[j * m + i] = x[j * m + i];
}
// None is asked: threads in two dimensions, something behind the loop, threads that wait.
// CHECK-LABEL: plan of two_dimensions
// CHECK-NOT: collapsed
// CHECK-LABEL: plan of behind
// CHECK-NOT: collapsed
// CHECK-LABEL: plan of waits
// CHECK-NOT: collapsed
__global__ void two_dimensions(PARAMETERS) {
  ROWS for (int j = 0; j < n; j++) y[i * n + j] = x[i * n + j] * threadIdx.y;
}
__global__ void behind(PARAMETERS) {
  ROWS {
    for (int j = 0; j < n; j++) y[i * n + j] = x[i * n + j];
    y[m * n + i] = 1;
  }
}
__global__ void waits(PARAMETERS) {
  ROWS for (int j = 0; j < n; j++) y[i * n + j] = x[i * n + j];
  __syncthreads();
}
}
