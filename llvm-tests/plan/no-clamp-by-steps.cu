// What is known of a clamp where its operand moves by more than one: a bound on it leaves out more than it says.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -fno-discard-value-names -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -mllvm -mesi-force -mllvm -mesi-form=inside -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s -check-prefix=FORCE
// FORCE-DAG: staged 'a' in by_ones
// FORCE-DAG: not staged: 'a' in by_twos: {{.*}} (UnboundedGuard)
// Even columns from 0 on, up to an odd last one that is not there.
#define COLUMNS(NAME, STEP)                                                                            \
  __global__ void NAME(const float *a, float *y, int n, int m, int r, int t) {                          \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                      \
    if (i >= t)                                                                                         \
      return;                                                                                           \
    float s = 0;                                                                                        \
    int c = max(STEP * i - r, 0);                                                                       \
    if (c <= n)                                                                                         \
      for (int k = 0; k < m; k++)                                                                       \
        s += a[k * n + c];                                                                              \
    y[i] = s;                                                                                           \
  }
COLUMNS(by_ones, 1)
COLUMNS(by_twos, 2)
