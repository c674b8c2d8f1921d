// A kernel that touches nothing by itself, but calls what does, is not passed over in silence.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O3 --cuda-device-only -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// CHECK: not staged: '?' in calls: access0 has effects in the region that are not known (line [[@LINE+6]]) (UnknownEffect)
// Nothing is to be said of one that does nothing.
// CHECK-NOT: in idle
__device__ __noinline__ void add(float *x, int n) { x[threadIdx.x] += n; }

extern "C" __global__ void calls(float *x, int n) {
  add(x, n);
}

extern "C" __global__ void idle(float *x, int n) {}
