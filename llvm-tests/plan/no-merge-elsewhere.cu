// Lanes are told where they are only by the kernel's own reads of those registers. Whoever may ask in another way gets no lanes, or they would all be
// told the leader's place; staging alone is as before.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;merge=4x1x1>' -disable-output %t.ll 2>&1 | %FileCheck %s
// The same at the end of clang's own pipeline.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass=mesi -S %s -o /dev/null 2>&1 | %FileCheck %s -check-prefix=REMARK
// REMARK-NOT: merged {{.*}} no_
// Blocks as a whole may be merged where threads ask others of their warp (choice/own-tiles.cu).
// REMARK: merged 4 blocks of no_others
// REMARK-NOT: merged {{.*}} no_
// REMARK: merged 4 blocks of itself
// REMARK-NOT: merged {{.*}} no_
__device__ __noinline__ int block() { return blockIdx.x; }

__device__ __noinline__ int deep() { return block() + 1; }

// CHECK-LABEL: plan of _Z11no_functionPKfPfi
// CHECK: no merge: where a thread is may be asked in a function or by another register
__global__ void no_function(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * 2 + block();
}
// CHECK-LABEL: plan of _Z7no_deepPKfPfi
// CHECK: no merge: where a thread is may be asked in a function or by another register
__global__ void no_deep(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * 2 + deep();
}
// CHECK-LABEL: plan of _Z7no_lanePKfPfi
// CHECK: no merge: where a thread is may be asked in a function or by another register
__global__ void no_lane(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * 2 + __nvvm_read_ptx_sreg_laneid();
}
// CHECK-LABEL: plan of _Z11no_assemblyPKfPfi
// CHECK: no merge: where a thread is may be asked in a function or by another register
__global__ void no_assembly(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, b;
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(b));
  if (i < n)
    y[i] = x[i] * 2 + b;
}
// Assembly that asks other threads, though nothing but its text says so.
// CHECK-LABEL: plan of _Z9no_othersPKfPfi
// CHECK: no merge:
__global__ void no_others(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float other;
  asm("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=f"(other) : "f"(x[i]));
  if (i < n)
    y[i] = x[i] * 2 + other;
}
// Assembly that asks nothing, and the kernel's own reads.
// CHECK-LABEL: plan of _Z6itselfPKfPfi
// CHECK: merge 4x1x1 blocks
__global__ void itself(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, b;
  asm("add.s32 %0, %1, 1;" : "=r"(b) : "r"(n));
  if (i < n)
    y[i] = x[i] * 2 + b + blockIdx.x;
}
