// Pairs that are handed over by value are loaded as one integer and cut. Parts of one iteration's pair are no part of
// another's, so nothing hangs on how far such loops are unrolled, and they are staged, their blocks merged. Where
// neighbouring iterations load the same part, or one that the loop writes, that is not known (the `no_` kernels).
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// CHECK-DAG: staged 'arg1' in nearest:
// CHECK-DAG: staged 'arg0' in product:
// CHECK-DAG: staged 'arg1' in product:
// CHECK-DAG: not staged: 'arg0' in no_next_pair: iterations of loop0 may share products{{.*}} (SharesProducts)
// CHECK-DAG: not staged: 'arg0' in no_overlap: iterations of loop0 may share products{{.*}} (SharesProducts)
// CHECK-DAG: not staged: 'arg0' in no_part_and_float: iterations of loop0 may share products{{.*}} (SharesProducts)
// CHECK-DAG: not staged: 'arg0' in no_written: iterations of loop0 may share products{{.*}} (SharesProducts)
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o - -fpass-plugin=%mesi | %FileCheck %s --check-prefix=IR
// The version loads a pair as the kernel does, from its tile.
// IR-LABEL: define {{.*}} @"_Z7nearestPK6float2S1_Pfii$mesi$0"
// IR: load i64, ptr addrspace(3)
// IR-NOT: define {{.*}} @"_Z12no_next_pair{{.*}}$mesi
// IR-NOT: define {{.*}} @"_Z10no_overlap{{.*}}$mesi
__device__ __forceinline__ float apart(float2 a, float2 b) {
  float x = a.x - b.x, y = a.y - b.y;
  return x * x + y * y;
}
__device__ __forceinline__ float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ __forceinline__ float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__global__ void nearest(const float2 *a, const float2 *b, float *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float least = 1e30f;
    for (int j = 0; j < m; j++)
      least = fminf(least, apart(a[i], b[j]));
    out[i] = least;
  }
}
__global__ void product(const float2 *a, const float2 *b, float2 *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float2 sum = make_float2(0, 0);
    for (int k = 0; k < n; k++)
      sum = plus(sum, times(a[row * n + k], b[k * n + col]));
    c[row * n + col] = sum;
  }
}
// The second pair of one iteration is the first of the next.
__global__ void no_next_pair(const float2 *a, float *out, float2 w, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = 0; j < m; j++)
      sum += apart(a[i * 256 + j], w) * fabsf(apart(a[i * 256 + j + 1], w));
    out[i] = sum;
  }
}
// The second number of one iteration's pair is the first of the next one's.
struct Shorts { short x, y; };
__device__ __forceinline__ float apart(Shorts a, Shorts b) {
  float x = a.x - b.x, y = a.y - b.y;
  return x * x + y * y;
}
__global__ void no_overlap(const short *a, float *out, Shorts w, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = 0; j < m; j++)
      sum += apart(*(const Shorts *)(a + i * 256 + j), w);
    out[i] = sum;
  }
}
// The second float of one iteration's pair is what the next one loads by itself.
__global__ void no_part_and_float(const float2 *a, float *out, float2 w, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = 1; j < m; j++) {
      float y = a[i * 256 + j - 1].y - w.y;
      sum += fabsf(apart(a[i * 256 + j], w)) + y * y;
    }
    out[i] = sum;
  }
}
// What an iteration stores may be what the next one loads.
__global__ void no_written(float2 *a, float2 w, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < m; j++)
      a[i * 256 + j + 1].y = apart(a[i * 256 + j], w);
}
