// Loads and stores that order others around them are fences, whatever array they touch: what is copied may not come before a load that acquires it, nor
// what was kept in a register or tile be stored behind the store that releases it.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: plan of _Z10no_acquirePKfPfS1_i
// CHECK-NOT: tile
// CHECK: UnknownEffect
__global__ void no_acquire(const float *__restrict__ a, float *__restrict__ sums, float *__restrict__ flags, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i] + __builtin_bit_cast(float, __atomic_load_n((int *)flags + i, __ATOMIC_ACQUIRE));
  sums[row] = s;
}
// CHECK-LABEL: plan of _Z10no_releasePKfPfPii
// CHECK-NOT: tile
// CHECK-NOT: in a register
// CHECK: UnknownEffect
__global__ void no_release(const float *__restrict__ a, float *__restrict__ sums, int *__restrict__ done, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; i++) {
    sums[row] += a[row * n + i];
    __atomic_store_n(done + row, i, __ATOMIC_RELEASE);
  }
}
// What acquires before the strips: a barrier stands between, as others copy what one has acquired.
// CHECK-LABEL: plan of _Z6beforePKfPfPi
// CHECK: region0: {{.*}}, after a barrier
// CHECK-LABEL: plan of _Z7relaxedPKfPfPi
// CHECK: region0:
// CHECK-NOT: after a barrier
#define SUM(order)                                                 \
  int row = blockIdx.x * blockDim.x + threadIdx.x;                  \
  float s = __atomic_load_n(flags + row, order);                    \
  for (int i = 0; i < 512; i++)                                     \
    s += a[row * 512 + i];                                          \
  sums[row] = s;
__global__ void before(const float *__restrict__ a, float *__restrict__ sums, int *__restrict__ flags) { SUM(__ATOMIC_ACQUIRE) }
__global__ void relaxed(const float *__restrict__ a, float *__restrict__ sums, int *__restrict__ flags) { SUM(__ATOMIC_RELAXED) }
