// Dimensions of flattened ids that stay in their order, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*along y the" %t.remarks
// CHECK: yes: its flattened ids are taken apart: dimensions of {{.*}} of them: along x the 1., along y the 3.
// CHECK: no_far: its flattened ids are taken apart: rows of
// CHECK: no_end: its flattened ids are taken apart: rows of
// CHECK: no_factor: its flattened ids are taken apart: rows of
// CHECK: no_loop: its flattened ids are taken apart: rows of
// CHECK: no_write: its flattened ids are taken apart: rows of
#define THREE const float *in, float *out, int a, int b, int c
#define ID                                                                                                                                           \
  int t = blockIdx.x * blockDim.x + threadIdx.x;                                                                                                     \
  if (t >= a * b * c)                                                                                                                                \
  return
#define APART int k = t % c, j = t / c % b, i = t / (c * b)
extern "C" __global__ void yes(THREE) {
  ID;
  APART;
  out[(k * b + j) * a + i] = in[t];
}
// Threads along x read one element: a bias for each plane.
extern "C" __global__ void no_far(THREE, const float *bias) {
  ID;
  APART;
  out[t] = in[t] + bias[i] + j + k;
}
// As many planes as are launched: those of the last block's rest would be of use.
extern "C" __global__ void no_end(const float *in, float *out, int a, int b, int c) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  APART;
  out[(k * b + j) * a + i] = in[t];
}
// Neighbours are two elements apart.
extern "C" __global__ void no_factor(THREE) {
  ID;
  APART;
  out[2 * ((k * b + j) * a + i)] = in[t];
}
// Sums: what is read in a loop says more than what is stored once.
extern "C" __global__ void no_loop(THREE) {
  ID;
  APART;
  float s = 0;
  for (int n = 0; n < 100; n++)
    s += in[(n * b + j) * a + i];
  out[t] = s + k;
}
// What is read as well as written lies along another dimension: the axes of threads are exchanged instead.
extern "C" __global__ void no_write(THREE) {
  ID;
  APART;
  out[(k * b + j) * a + i] = in[(k * b + j) * a + i];
}
