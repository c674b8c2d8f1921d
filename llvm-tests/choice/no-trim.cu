// Kernels whose grids are not trimmed, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// Clusters have their own order of blocks; with code of other files linked, these may have the kernel, and call another one's version.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.rdc.ll
// RUN: sed -e 's/\(@clusters([^)]*)\) #0/\1 #0 "nvvm.cluster_dim"="2"/' %t.rdc.ll > %t.clusters.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.clusters.ll 2>&1 | %FileCheck %s -check-prefix=RDC

#define ROW int j = blockIdx.x * blockDim.x + threadIdx.x; int i = blockIdx.y * blockDim.y + threadIdx.y;
// Threads that wait for others.
// CHECK-LABEL: plan of waits
// CHECK: no trim: its threads may wait for others, or it cannot be cloned
extern "C" __global__ void waits(int *a, volatile int *flag, int r) {
  ROW
  if (i != r) return;
  while (*flag == 0) ;
  a[j] = 1;
}
// Assembly may read the block's number.
// CHECK-LABEL: plan of assembly
// CHECK: no trim: threads may ask in another way where they are
extern "C" __global__ void assembly(int *a, int r) {
  ROW
  if (i != r) return;
  int b;
  asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(b));
  a[j] = b;
}
// RDC-LABEL: plan of clusters
// RDC: no trim: its blocks come in clusters
// CHECK-LABEL: plan of clusters
// CHECK: {{^  trim:}} guards tell blocks apart along y
extern "C" __global__ void clusters(int *a, int r) {
  ROW
  if (i != r) return;
  a[j] = 1;
}
// RDC-LABEL: plan of _Z6mergedIiEvPT_i
// RDC: no trim: several files may have it
template <typename T> __global__ void merged(T *a, int r) {
  ROW
  if (i != r) return;
  a[j] = 1;
}
template __global__ void merged<int>(int *, int);
// CHECK-LABEL: plan of parameters
// CHECK: no trim: it has too many parameters
#define P(x) int x##0, int x##1, int x##2, int x##3, int x##4, int x##5, int x##6, int x##7
extern "C" __global__ void parameters(int *a, int r, P(b), P(c), P(d), P(e)) {
  ROW
  if (i != r) return;
  a[j] = b0 + e7;
}
// What memory holds is not known.
// CHECK-LABEL: plan of loaded
// CHECK: no trim: no guard is known for a whole block
extern "C" __global__ void loaded(int *a, const int *r) {
  ROW
  if (i != r[0]) return;
  a[j] = 1;
}
// A store, a barrier, a volatile load and an atomic before the guard leave a trace.
// CHECK-LABEL: plan of stores
// CHECK: no trim: threads leave a trace before any guard
extern "C" __global__ void stores(int *a, int *b, int r) {
  ROW
  b[j] = 1;
  if (i != r) return;
  a[j] = 1;
}
// CHECK-LABEL: plan of barrier
// CHECK: no trim: threads leave a trace before any guard
extern "C" __global__ void barrier(int *a, int r) {
  ROW
  __syncthreads();
  if (i != r) return;
  a[j] = 1;
}
// CHECK-LABEL: plan of loads
// CHECK: no trim: threads leave a trace before any guard
extern "C" __global__ void loads(int *a, volatile int *b, int r) {
  ROW
  int v = b[j];
  if (i != r) return;
  a[j] = v;
}
// The other side is an effect, too.
// CHECK-LABEL: plan of both
// CHECK: no trim: its guards only end a grid's last blocks
extern "C" __global__ void both(int *a, int r) {
  ROW
  if (i != r) atomicAdd(a, 1);
  else a[j] = 1;
}
// Upper limits alone: each kernel has one.
// CHECK-LABEL: plan of covered
// CHECK: no trim: its guards only end a grid's last blocks
extern "C" __global__ void covered(int *a, int n, int m) {
  ROW
  if (i < n && j < m) a[i * m + j] = 1;
}
// All but one row, all but the border.
// CHECK-LABEL: plan of inside
// CHECK: no trim: its guards only end a grid's last blocks
extern "C" __global__ void inside(int *a, int n, int m) {
  ROW
  if (i >= 1 && i < n - 1 && j >= 1 && j < m - 1) a[i * m + j] = 1;
}
// A triangle.
// CHECK-LABEL: plan of triangle
// CHECK: no trim: its guards only end a grid's last blocks
extern "C" __global__ void triangle(int *a, int n) {
  ROW
  if (j > i || i >= n) return;
  a[i * n + j] = 1;
}
// A switch by which all but a few numbers come to an effect; one by which all do.
// CHECK-LABEL: plan of most
// CHECK: no trim: its guards only end a grid's last blocks
extern "C" __global__ void most(int *a, int n) {
  ROW
  if (i >= n) return;
  switch (i) {
  case 0: return;
  case 7: return;
  default: a[j] = 1;
  }
}
