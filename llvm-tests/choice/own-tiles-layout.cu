// Merged blocks whose index may leave a shared array find there what the kernel's would: each has all arrays, as they lie in the kernel. Where the launch says
// that all accesses stay inside, or their indices do, an array has parts by itself.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.own.ll && %FileCheck %s < %t.own.ll
// Four parts of 64 + 4 + 512 bytes, rounded up to 16; both arrays, though one holds the same for all blocks.
// CHECK-DAG: @"leaves$mesi$0$parts0$2368" = internal {{.*}}addrspace(3) global [2368 x i8] poison, align 16
// CHECK-DAG: @"inside$mesi$0$parts0$1024" = internal {{.*}}addrspace(3) global [1024 x i8]
// CHECK-DAG: @"inside$mesi$0$shared{{[0-9]}}$512" = internal
// CHECK-DAG: @"masked$mesi$0$parts0$1024" = internal {{.*}}addrspace(3) global [1024 x i8]
// CHECK-DAG: @"masked$mesi$0$shared{{[0-9]}}$512" = internal
// CHECK-DAG: @"backwards$mesi$0$parts0$1024" = internal {{.*}}addrspace(3) global [1024 x i8]
// CHECK-DAG: @"data$mesi$0$parts0$3072" = internal {{.*}}addrspace(3) global [3072 x i8]
// CHECK-DAG: @"alone$mesi$0$parts0$1024" = internal {{.*}}addrspace(3) global [1024 x i8]

// CHECK-LABEL: define {{.*}} @"leaves$mesi$0"(
// CHECK-DAG: ptr addrspace(3) @"leaves$mesi$0$parts0$2368", i64 64
// CHECK-DAG: ptr addrspace(3) @"leaves$mesi$0$parts0$2368", i64 68
// CHECK-DAG: i64 592
// PLAN-LABEL: plan of leaves
// PLAN: merge 4x1x1 blocks
// PLAN-NOT: fact
// PLAN: whole: merge 2x1x1 blocks
extern "C" __global__ void leaves(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y) {
  __shared__ float rows[16];
  __shared__ int flag;
  __shared__ float all[128];
  int t = threadIdx.x;
  rows[t / 4] = x[blockIdx.x * blockDim.x + t];
  all[t] = w[t];
  flag = t;
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = rows[t / 4 + 8] + all[127 - t] + flag;
}
// PLAN-LABEL: plan of inside
// PLAN: merge 4x1x1 blocks
// PLAN: fact: 0 <= ntid.x <= 57
extern "C" __global__ void inside(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y) {
  __shared__ float rows[64], all[128];
  int t = threadIdx.x;
  rows[t] = x[blockIdx.x * blockDim.x + t];
  all[t] = w[t];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 8; k++)
    sum += rows[t + k] * all[t + 2 * k];
  y[blockIdx.x * blockDim.x + t] = sum;
}
// PLAN-LABEL: plan of masked
// PLAN: merge 4x1x1 blocks
// PLAN-NOT: fact
// PLAN: whole: merge 2x1x1 blocks
extern "C" __global__ void masked(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y) {
  __shared__ float rows[64], all[128];
  int t = threadIdx.x;
  rows[t & 63] = x[blockIdx.x * blockDim.x + t];
  all[t % 128u] = w[t];
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = rows[(t + 1) & 63] + all[t >> 3];
}
// PLAN-LABEL: plan of backwards
// PLAN: fact: 0 <= ntid.x <= 64
extern "C" __global__ void backwards(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y) {
  __shared__ float rows[64], all[128];
  int t = threadIdx.x;
  rows[63 - t] = x[blockIdx.x * blockDim.x + t];
  all[t] = w[t];
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = rows[t] + all[t + 64];
}
// What is data may be anything.
// PLAN-LABEL: plan of data
// PLAN: merge 4x1x1 blocks
// PLAN-NOT: fact
// PLAN: whole: merge 2x1x1 blocks
extern "C" __global__ void data(const float *__restrict__ x, const int *__restrict__ w, float *__restrict__ y) {
  __shared__ float rows[64];
  __shared__ int all[128];
  int t = threadIdx.x;
  rows[t & 63] = x[blockIdx.x * blockDim.x + t];
  all[t & 127] = w[t];
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = rows[all[(t + 1) & 127]];
}
// Behind one array there is none.
// PLAN-LABEL: plan of alone
// PLAN: merge 4x1x1 blocks
// PLAN-NOT: fact
// PLAN: whole: merge 2x1x1 blocks
extern "C" __global__ void alone(const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float rows[64];
  int t = threadIdx.x;
  rows[t / 4] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = rows[t / 4 + 8];
}
