// Guards that compare a thread's numbers along two dimensions and bound nothing, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
#define IDS int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define PRODUCT(GUARD, A, B, K)                                                                                                                      \
  IDS;                                                                                                                                               \
  if (x >= n || y >= n)                                                                                                                              \
    return;                                                                                                                                          \
  if (!(GUARD))                                                                                                                                      \
    return;                                                                                                                                          \
  float s = 0;                                                                                                                                       \
  for (int i = 0; i < (K); i++)                                                                                                                      \
    s += a[A] * b[B];                                                                                                                                \
  c[y * n + x] = s;
#define PARAMETERS const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k
// Factors: what is left of a number may be none of those in between.
// CHECK-LABEL: plan of no_factor
// CHECK-DAG: array0 a not staged: UnboundedGuard
// CHECK-DAG: array1 b not staged: UnboundedGuard
extern "C" __global__ void no_factor(PARAMETERS) { PRODUCT(2 * x <= y, y * k + i, i * n + x, k) }
// An index that has both.
// CHECK-LABEL: plan of no_single
// CHECK-DAG: array0 a not staged: UnboundedGuard
extern "C" __global__ void no_single(PARAMETERS) { PRODUCT(x <= y, (y * n + x) * k + i, i * n + x, k) }
// Two of them: each may hold for another thread.
// CHECK-LABEL: plan of no_two
// CHECK-DAG: array0 a not staged: UnboundedGuard
// CHECK-DAG: array1 b not staged: UnboundedGuard
extern "C" __global__ void no_two(PARAMETERS) { PRODUCT(x <= y && y <= x + k, y * k + i, i * n + x, k) }
// Numbers of threads in their blocks: of every block the first row is none (a fuzzed kernel, which read in front of the array).
// CHECK-LABEL: plan of no_global
// CHECK-DAG: array0 a not staged: UnboundedGuard
extern "C" __global__ void no_global(PARAMETERS) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x >= y)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[(y - 1) * k + i];
  c[(blockIdx.x * blockDim.x + x) * n + y] = s;
}
// What another block reads: its rows, its iterations, if at all.
// CHECK-LABEL: plan of no_row
// CHECK-DAG: array1 b not staged: UnboundedGuard
extern "C" __global__ void no_row(PARAMETERS) { PRODUCT(x <= y, y * k + i, (blockIdx.y * k + i) * n + x, k) }
// CHECK-LABEL: plan of no_length
// CHECK-DAG: array1 b not staged: UnboundedGuard
extern "C" __global__ void no_length(PARAMETERS) { PRODUCT(x <= y, y * k + i, i * n + x, k + (int)blockIdx.y) }
// CHECK-LABEL: plan of no_condition
// CHECK-DAG: array1 b not staged: UnboundedGuard
extern "C" __global__ void no_condition(PARAMETERS) { PRODUCT(blockIdx.y * n < 4096u && x <= y, y * k + i, i * n + x, k) }
