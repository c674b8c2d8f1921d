// Rounds whose loads come before all else of them: loops that update what they counted, that move on by a number of the run, whose iterations branch.
// In kernels with barriers of their own, with dynamic shared memory, and with locks, of which nothing else is made.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %not grep -q first
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -S %s -o %t.s && %FileCheck %s -check-prefix=PTX < %t.s
// Where the counter may wrap around the loop runs as it did. Else all eight loads come, then all eight updates.
// PTX-LABEL: .entry _Z6countsPKhiPj$mesi$0(
// PTX: ld.global.nc.b8
// PTX: atom.shared.add
// PTX-COUNT-8: ld.global.nc.b8
// PTX-NOT: ld.global
// PTX-COUNT-8: atom.shared.add
// CHECK-LABEL: plan of _Z6countsPKhiPj
// CHECK: loop{{[0-9]+}}: unrolled by 8 iterations, access{{[0-9]+}} first
__global__ void counts(const unsigned char *__restrict__ x, int n, unsigned *__restrict__ y) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&own[x[i]], 1);
  __syncthreads();
  y[threadIdx.x] = own[threadIdx.x];
}
// CHECK-LABEL: plan of _Z7dynamicPKfPfm
// CHECK: DynamicShared
// CHECK: loop0: unrolled by 8 iterations, access{{[0-9]+}} first
__global__ void dynamic(const float *x, float *y, size_t n) {
  extern __shared__ float part[];
  float s = 0;
  for (size_t i = threadIdx.x; i < n; i += blockDim.x)
    s += x[i];
  part[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < blockDim.x; i++)
      *y += part[i];
}
// A lock: the loop in front of it has nothing to do with that.
// CHECK-LABEL: plan of _Z6lockedPKfPfPii
// CHECK: Waits
// CHECK: loop{{[0-9]+}}: unrolled by 8 iterations, access{{[0-9]+}} first
__global__ void locked(const float *__restrict__ x, float *__restrict__ y, int *__restrict__ lock, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (x[i] > s)
      s = x[i] * s + 1;
  while (atomicCAS(lock, 0, 1)) {}
  *y += s;
  __threadfence();
  atomicExch(lock, 0);
}
// Nobody promised that the arrays lie apart: the host asks.
// CHECK-LABEL: plan of _Z8trianglePKiPiii
// CHECK: loop0: unrolled by 8 iterations, access0 first
// CHECK: fact: {{.*}} apart from array1
__global__ void triangle(const int *a, int *c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int t = 0;
  for (int k = i; k < m; k++) {
    int x = a[k * n + i];
    t = x > t ? x : t / 3;
    if (t & 1) c[k * n + i] = t;
  }
}
// Each iteration has a cell of its own, as rows are longer than nothing.
// CHECK-LABEL: plan of _Z8in_placePiii
// CHECK: loop0: unrolled by 8 iterations, access0 first
// CHECK: fact: 4 <= 4*s1
__global__ void in_place(int *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int t = 0;
  for (int k = 0; k < m; k++) {
    int x = a[k * n + i];
    t = x > t ? x : t / 3;
    if (t & 1) a[k * n + i] = t;
  }
}
// Loads that others lead to, by which iterations branch: one for all of them, then the next.
// PTX-LABEL: .entry _Z6losses{{[A-Za-z0-9_]+}}$mesi$0(
// PTX-COUNT-8: ld.global.nc.b32
// PTX: st.shared
// CHECK-LABEL: plan of _Z6losses
// CHECK: loop0: unrolled by 8 iterations, access0 access1 access2 first
__global__ void losses(float *__restrict__ o, const float *__restrict__ x, const int *__restrict__ at,
                       const float *__restrict__ w, long n, long k, long ignore) {
  __shared__ float sums[64];
  sums[threadIdx.x] = 0;
  for (long i = threadIdx.x; i < n; i += 64) {
    long t = at[i];
    if (t != ignore) {
      float weight = w ? w[t] : 1;
      sums[threadIdx.x] -= weight * x[i * k + t];
    }
  }
  __syncthreads();
  o[threadIdx.x] = sums[63 - threadIdx.x];
}
// A place that a float gives.
// CHECK-LABEL: plan of _Z6scaled
// CHECK: loop0: unrolled by 8 iterations, access0 first
__global__ void scaled(float *__restrict__ o, const float *__restrict__ x, int n, float s) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    o[blockIdx.x * n + i] = x[(int)(i * s)];
}
// Only some iterations load.
// CHECK-LABEL: plan of _Z4some
// CHECK: loop0: unrolled by 8 iterations, access0 first
__global__ void some(const int *__restrict__ x, int *__restrict__ y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (i % 3) atomicAdd(y, x[i]);
}
