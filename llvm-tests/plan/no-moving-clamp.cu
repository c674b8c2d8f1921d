// What follows a thread, an iteration or a lane through a clamp, a trip count or an edge follows it all the same.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;shared=0;merge=1x4x1>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=LANES
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;shared=0;unroll-jam=4>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=ABREAST
#define THREAD                                                                                                       \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                     \
  if (i >= n)                                                                                                        \
  return
// `c - i` is `max(i, m) - i`: the extremes of both are not reached together.
// CHECK-LABEL: plan of _Z7centredPKfPfii
// CHECK-NOT: serves
// CHECK: array0 w not staged: NotAffine
__global__ void centred(const float *__restrict__ w, float *y, int n, int m) {
  THREAD;
  float s = 0;
  int c = max(i, m);
  for (int k = 0; k <= m; k++)
    s += w[min(c - i, m) + k];
  y[i] = s;
}
// `r` bounds `q`, and both `k`: the rows are written back for each length, the innermost loop.
// CHECK-LABEL: plan of _Z8trianglePfPKfii
// CHECK-NEXT: region0: node[[OUTER:[0-9]+]] whole
// CHECK: region1
// CHECK-NOT: node[[OUTER]] whole
// CHECK: writes back
__global__ void triangle(float *__restrict__ x, const float *__restrict__ a, int n, int w) {
  THREAD;
  for (int r = 1; r < 40; r++)
    for (int q = 1; q <= 40 - r; q++)
      for (int k = 0; k < r + q; k++)
        x[i * w + k] = a[r] + k;
}
// `t` bounds `r`, `r` the length of `q`, `q` that of `k`.
// CHECK-LABEL: plan of _Z6stairsPfPKfiiii
// CHECK-NOT: writes back offsets {{.*}} iter(loop0) <=
// CHECK-LABEL: plan of _Z6thricePfPKfiiii
__global__ void stairs(float *__restrict__ x, const float *__restrict__ a, int n, int m, int t, int w) {
  THREAD;
  for (int r = 0; r < m; r++)
    if (r < t)
      for (int q = 0; q <= r; q++)
        for (int k = 0; k <= q; k++)
          x[i * w + k] = a[r] * q;
}
// Strips of 8 and of 16: no element twice in any.
// CHECK: strips of 4, depth 4, {{.*}}16 depth
// CHECK: fact: 0 <= 4*s{{[0-9]+}} - 16 <=
// CHECK: fact: 0 <= 4*s{{[0-9]+}} - 64 <=
__global__ void thrice(float *__restrict__ x, const float *__restrict__ a, int n, int m, int w, int s) {
  THREAD;
  for (int k = 0; k < m; k++) {
    float v = a[i * m + k];
    x[i * s + k] = v;
    x[i * s + k + w] = -v;
    x[i * s + k + 2 * w] = v * v;
  }
}
// The next lane in this iteration, this lane in the next one: the clamp has moved.
// LANES-LABEL: plan of _Z7slantedPKfPfiiii
// LANES-NOT: slides along
// LANES-LABEL: plan of _Z8straightPKfPfiii
// LANES: slides along y
__global__ void slanted(const float *__restrict__ a, float *__restrict__ o, int w, int h, int r, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float s = 0;
  for (int k = 0; k < r; k++)
    s += a[(y + k) * w + x + min(k, m)];
  o[y * w + x] = s;
}
__global__ void straight(const float *__restrict__ a, float *__restrict__ o, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float s = 0;
  for (int k = 0; k < r; k++)
    s += a[(y + k) * w + x];
  o[y * w + x] = s;
}
// The inner clamp names the thread: lanes do not load for one another.
// LANES-LABEL: plan of _Z4bandPKfPfiii
// LANES: 8 loads of all replicas, 8 addresses
// LANES-LABEL: plan of _Z4pairPKfPfii
// LANES: 8 loads of all replicas, 5 addresses
__global__ void band(const float *__restrict__ a, float *__restrict__ o, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int j = min(max(y - r, 0), w - 1);
  o[y * w + x] = a[y * w + j] + a[(y + 1) * w + j];
}
__global__ void pair(const float *__restrict__ a, float *__restrict__ o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  o[y * w + x] = a[y * w + x] + a[(y + 1) * w + x];
}
// What the iteration before left is asked for along an edge in the core.
// ABREAST-LABEL: plan of _Z4keptPKfS0_Pfii
// ABREAST: not jammed: an iteration needs what the one before it computed
__global__ void kept(const float *a, const float *x, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  float p = x[i];
  for (int j = 0; j < m; j++) {
    float s = 0;
    if (n > 5) {
      for (int k = 0; k < n; k++)
        s += a[k * m + i] * a[k * m + j];
      p = s;
    }
    y[i * m + j] = p + x[j];
  }
}
