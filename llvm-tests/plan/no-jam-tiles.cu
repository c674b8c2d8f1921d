// Iterations over whole tiles that must not run together: one kernel for each reason. The versions keep their tiles.
// Where an inner loop's length depends on the iteration (@shape), nothing is said.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;merge=off;unroll-jam=4>' -disable-output %t.ll 2>&1 | %FileCheck %s
#define ROWS const float *__restrict__ x, const float *__restrict__ w
#define IN_ROWS                                                                                                        \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return
#define DIFFERENCE (x[i * d + k] - w[j * d + k])
// CHECK-LABEL: plan of _Z12communicates
// CHECK: not jammed: threads or blocks may communicate
// CHECK: region0: node{{[0-9]+}} whole
__global__ void communicates(ROWS, float *__restrict__ sums, int n, int m, int d) {
  IN_ROWS;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < d; k++)
      s += DIFFERENCE * DIFFERENCE;
    if (s < 1)
      atomicAdd(&sums[j], s);
  }
}
// CHECK-LABEL: plan of _Z10own_arrays
// CHECK: not jammed: the kernel has shared or private arrays
// CHECK: region0: node{{[0-9]+}} whole
__global__ void own_arrays(ROWS, float *__restrict__ out, int n, int m, int d) {
  float own[4] = {0, 0, 0, 0};
  IN_ROWS;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < d; k++)
      s += DIFFERENCE * DIFFERENCE;
    own[j & 3] += s > 1 ? s : 1;
  }
  out[i] = own[n & 3];
}
// CHECK-LABEL: plan of _Z7carried
// CHECK: not jammed: an iteration needs what the one before it computed
// CHECK: region0: node{{[0-9]+}} whole
__global__ void carried(ROWS, float *__restrict__ out, int n, int m, int d) {
  IN_ROWS;
  float last = 1;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < d; k++)
      s += DIFFERENCE * last;
    last = s > 1 ? s : 1;
  }
  out[i] = last;
}
// CHECK-LABEL: plan of _Z4trip
// CHECK: not jammed: the loop's length is not known at entry
// CHECK: region0: node{{[0-9]+}} whole
__global__ void trip(ROWS, float *__restrict__ out, int n, int m, int d) {
  IN_ROWS;
  for (int l = 0; l < m; l++)
    for (int j = 0; j < l; j++) {
      float s = 0;
      for (int k = 0; k < d; k++)
        s += x[i * d + k] * w[l * d + k] * j;
      out[(l * m + j) * n + i] = s;
    }
}
// CHECK-LABEL: plan of _Z6stores
// CHECK: not jammed: an inner loop stores what cannot stay in a register
// CHECK: region0: node{{[0-9]+}} whole
__global__ void stores(ROWS, float *__restrict__ out, int n, int m, int d) {
  IN_ROWS;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < d; k++)
      out[k * n + i] = s += DIFFERENCE * DIFFERENCE;
  }
}
// CHECK-LABEL: plan of _Z9may_alias
// CHECK: not jammed: what is stored may be what other iterations load
// CHECK: region0: node{{[0-9]+}} whole
__global__ void may_alias(ROWS, float *out, const float *scale, int n, int m, int d) {
  IN_ROWS;
  for (int j = 0; j < m; j++) {
    float s = scale[(i * j) % 7];
    for (int k = 0; k < d; k++)
      s += DIFFERENCE * DIFFERENCE;
    out[j * n + i] = s;
  }
}
// CHECK-LABEL: plan of _Z10past_tiles
// CHECK: not jammed: an inner loop loads what no tile holds
// CHECK: region0: node{{[0-9]+}} whole
__global__ void past_tiles(ROWS, const float *__restrict__ y, const int *__restrict__ at, float *__restrict__ out,
                           int n, int m, int d) {
  IN_ROWS;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < d; k++)
      s += DIFFERENCE * y[at[k]];
    out[j * n + i] = s;
  }
}
// CHECK-LABEL: plan of _Z5shape
// CHECK-NOT: jammed
// CHECK: region0: node{{[0-9]+}} whole
__global__ void shape(ROWS, float *__restrict__ out, int n, int m, int d) {
  IN_ROWS;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < d - j; k++)
      s += DIFFERENCE * DIFFERENCE;
    out[j * n + i] = s;
  }
}
