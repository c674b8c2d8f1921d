// What all threads but one read is staged where some thread of the grid surely reads it: at least two of the first block have an element, and what
// is read is the same everywhere.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;form=inside>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK-LABEL: plan of others
// CHECK: array0 x
// CHECK: reads offsets {{.*}} tid.x <= -ctaid.x*ntid.x + s0 - 1
// CHECK: fact: 1 <= s0 - 1
// CHECK: fact: 2 <= ntid.x
extern "C" __global__ void others(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int j = 0; j < n; j++)
    if (j != i)
      s += x[j];
  y[i] = s;
}
// Two such conditions may leave out two threads of three.
// CHECK-LABEL: plan of two
// CHECK: array0 x
// CHECK: fact: 2 <= s0 - 1
// CHECK: fact: 3 <= ntid.x
extern "C" __global__ void two(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int j = 0; j < n; j++)
    if (j != i && j + 1 != i)
      s += x[j];
  y[i] = s;
}
// Threads that are two apart may both be left out of what neighbours read.
// CHECK-LABEL: plan of no_step
// CHECK: array0 x not staged: UnboundedGuard
extern "C" __global__ void no_step(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < n; j++)
    if (j != 2 * i)
      s += x[j];
  y[i] = s;
}
// Each block reads its own: the first one's threads say nothing of the others'.
// CHECK-LABEL: plan of no_block
// CHECK: array0 x not staged: UnboundedGuard
extern "C" __global__ void no_block(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < n; j++)
    if (j != i)
      s += x[blockIdx.x * n + j];
  y[i] = s;
}
// Something else keeps threads from it.
// CHECK-LABEL: plan of no_others
// CHECK: array{{.}} x not staged: UnboundedGuard
extern "C" __global__ void no_others(const float *__restrict__ x, float *__restrict__ y, const float *__restrict__ w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < n; j++)
    if (j != i && w[i] > 0)
      s += x[j];
  y[i] = s;
}
// Only some blocks come there.
// CHECK-LABEL: plan of no_blocks
// CHECK: array0 x not staged: UnboundedGuard
extern "C" __global__ void no_blocks(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  if (blockIdx.x > 3)
    for (int j = 0; j < n; j++)
      if (j != i)
        s += x[j];
  y[i] = s;
}
