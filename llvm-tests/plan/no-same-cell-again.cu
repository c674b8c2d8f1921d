// A cell that comes again: in the next iteration, because a clamp stands still or because each iteration stores two neighbours; in an inner
// loop, which reads what it has stored; or by an index that wraps into another field, which a fact excludes.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;shared=0;unroll-jam=4>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=ABREAST
// ABREAST-LABEL: plan of _Z7clampedPKfPfii
// ABREAST: not jammed: what is stored may be what other iterations load
// ABREAST-LABEL: plan of _Z5movesPKfPfii
// ABREAST: 4 iterations jammed
__global__ void clamped(const float *__restrict__ a, float *__restrict__ y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    for (int j = 0; j < m; j++) {
      int q = j + min(3, m - 1 - j);
      float s = y[i * m + q];
      for (int k = 0; k < n; k++)
        s += a[k * m + i] * a[k * m + j];
      y[i * m + q] = s;
    }
}
__global__ void moves(const float *__restrict__ a, float *__restrict__ y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    for (int j = 0; j < m; j++) {
      float s = y[i * m + j];
      for (int k = 0; k < n; k++)
        s += a[k * m + i] * a[k * m + j];
      y[i * m + j] = s;
    }
}
// CHECK-LABEL: plan of _Z4bothPKfPfii
// CHECK-NOT: writes back
// CHECK: array1 y not staged: InexactStore
__global__ void both(const float *__restrict__ a, float *__restrict__ y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; k++) {
      y[i * (m + 1) + k] = a[k * n + i];
      y[i * (m + 1) + k + 1] = -a[k * n + i];
    }
}
// CHECK-LABEL: plan of _Z7updatedPfii
// CHECK-NOT: tile
// CHECK: array0 y not staged: WrittenInRegion
__global__ void updated(float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; k++) {
      float v = y[i * (m + 2) + k + 1];
      y[i * (m + 2) + k] = v * 0.5f;
      y[i * (m + 2) + k + 2] = v;
    }
}
// Fields do not move: they are two runs, or one.
// CHECK-LABEL: plan of _Z5pairsPKfPfii
// CHECK: writes back offsets {{\[\[0, 0, 0\], \[0, 0, 1\]\]}}
__global__ void pairs(const float *__restrict__ a, float *__restrict__ y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < m; k++) {
      y[2 * (i * m + k)] = a[k * n + i];
      y[2 * (i * m + k) + 1] = -a[k * n + i];
    }
}
// The store tile does not lie in the slots of what is read.
// CHECK-LABEL: plan of _Z5againPKfS0_PfS1_iii
// CHECK-NOT: in the slots of
// CHECK-LABEL: plan of _Z4oncePKfS0_PfS1_ii
// CHECK: in the slots of what is read before
__global__ void again(const float *a, const float *b, float *y, float *z, int n, int m, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int j = 0; j < m; j++) {
    float t = 0;
    for (int q = 0; q < r; q++) {
      t += a[i * m + j] * (q + 1);
      y[i * m + j] = t;
    }
    s += b[i * m + j];
  }
  z[i] = s;
}
__global__ void once(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ y, float *__restrict__ z, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int j = 0; j < m; j++) {
    y[i * m + j] = a[i * m + j] * 2;
    s += b[i * m + j];
  }
  z[i] = s;
}
// Fields of three: the store's index does not wrap.
// CHECK-LABEL: plan of _Z5wrapsPfS_jjj
// CHECK: serves access0
// CHECK: fact: 0 <= {{.*}} + 1 <= 4294967295
__global__ void wraps(float *p, float *y, unsigned n, unsigned m, unsigned off) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float t = 0;
  for (unsigned k = 0; k < m / 2; k++) {
    t += p[3 * (i * m + k)];
    p[3 * (i * m + 2 * k) + 3 * off + 1] = t * 0.5f;
  }
  y[i] = t;
}
