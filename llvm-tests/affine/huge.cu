// Numbers drawn at random, cells far apart, and sums of sums of sums: nothing of it is an index that could be followed, and nothing of it may take the
// compiler long, or down.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi -mllvm -mesi-force -Rpass-missed=mesi 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi 2>&1 | %FileCheck %s -check-prefix=QUIET -allow-empty
// QUIET-NOT: {{error|warning: mesi|dropped}}
// CHECK-NOT: error
// CHECK: not staged: 'arg1' in drawn
// CHECK-NOT: error
// CHECK: not staged: 'arg1' in apart
// CHECK-NOT: error
__global__ void drawn(const float *w, float *y, int n, unsigned seed, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned r = seed + i;
  float s = 0;
  for (int k = 0; k < 6; k++) {
    r = r * 0x9E3779B9u + 7;
    s += w[min((int)r, t) & 7] + w[max(min((int)(r * 3), t), 0)];
    if (r < 1000000000u)
      s += w[k];
  }
  y[i] = s;
}
__global__ void apart(const unsigned char *a, unsigned *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&c[0], 1u);
  if (a[i] & 1)
    atomicAdd(&c[1ull << 30], 1u);
}
__global__ void sums(const float *a, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int k = 0; k < n; k++) {
    int u = i, v = k;
#pragma unroll
    for (int d = 0; d < 42; d++) {
      int w = u + v;
      u = v;
      v = w;
    }
    s += a[v] * a[u];
  }
  y[i] = s;
}
