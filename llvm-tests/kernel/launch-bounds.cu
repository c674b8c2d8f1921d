// clang's own forms of what `kernel` reads: launch bounds, an annotated cap, static shared memory.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O2 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi
// RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-kernel>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK: kernel _Z6bounds
// CHECK-NEXT: sm_90, at most 256 threads a block
// CHECK: kernel _Z3cap
// CHECK-NEXT: at most 1024 threads
// CHECK-NEXT: block cap 16,16,1
// CHECK: kernel _Z6shares
// CHECK: own shared memory 1024 bytes
__global__ void __launch_bounds__(256, 2) bounds(float *p) { p[threadIdx.x] = 1; }
__attribute__((annotate("mesi.block=16,16"))) __global__ void cap(float *p) { p[threadIdx.x] = 2; }
__global__ void shares(float *p) {
  __shared__ float s[256];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[255 - threadIdx.x];
}
