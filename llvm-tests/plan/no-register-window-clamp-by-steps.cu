// What is known of a clamp where its operand moves by more than one: an if that was linear in it is not linear in its
// operand, which blocks inside have in its place.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -fno-discard-value-names -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// CHECK-DAG: staged 'x' in window
// CHECK-DAG: not staged: 'x' in strided
// A window that begins at a clamped multiple of a run-time step, up to a limit.
#define WINDOW(NAME, STEP)                                                                              \
  __global__ void NAME(const float *x, const float *w, float *y, int n, int m, int r, int s, int t) {   \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                      \
    if (i >= n)                                                                                         \
      return;                                                                                           \
    float v = 0;                                                                                        \
    int c = max(STEP * i - r, 0);                                                                       \
    for (int k = 0; k < m; k++)                                                                         \
      if (c + k < t)                                                                                    \
        v += x[i + k] * w[k];                                                                           \
    y[i] = v;                                                                                           \
  }
WINDOW(window, 1)
WINDOW(strided, s)
