// Atomics of halves are assembly. The array that they update has a reason of its own, as has one that other assembly touches.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-missed=mesi -emit-llvm -S %s -o %t.ll 2>&1 | %FileCheck %s
#include <cuda_bf16.h>
#include <cuda_fp16.h>
// CHECK: not staged: 'arg0' in halves: access0 updates it atomically (line {{[0-9]+}}) (Atomic)
// CHECK-NOT: in halves
extern "C" __global__ void halves(__half *c, __half v) { atomicAdd(&c[threadIdx.x & 7], v); }
// CHECK: not staged: 'arg0' in pairs: access1 has effects in the region that are not known (line {{[0-9]+}}) (UnknownEffect)
// CHECK: not staged: 'arg1' in pairs: access1 updates it atomically (line {{[0-9]+}}) (Atomic)
extern "C" __global__ void pairs(const __half2 *x, __half2 *c, int n) {
  for (int k = 0; k < n; k++) atomicAdd(&c[threadIdx.x & 7], x[k]);
}
// CHECK: not staged: 'arg0' in brains: access0 updates it atomically (line {{[0-9]+}}) (Atomic)
extern "C" __global__ void brains(__nv_bfloat16 *c, __nv_bfloat16 v) { atomicAdd(&c[threadIdx.x & 7], v); }
// CHECK: not staged: 'arg0' in reads: access0 has effects in the region that are not known (line {{[0-9]+}}) (UnknownEffect)
// CHECK: not staged: 'arg1' in reads: it is only written, and staging would not help (OnlyStored)
extern "C" __global__ void reads(const float *x, float *y) {
  float v;
  asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(v) : "l"(x + threadIdx.x));
  y[threadIdx.x] = v;
}
