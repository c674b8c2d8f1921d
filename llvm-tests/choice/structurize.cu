// Switches of a few cases are branches, and blocks that sides share are duplicated, in a copy of the kernel, which is planned in its place.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.own.ll && %FileCheck %s < %t.own.ll
// Without a host half versions go into the kernel itself, and it has no copy.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %not grep structurized
#define T 16
// PLAN-LABEL: plan of border
// PLAN: structurized: its control flow is nested: 2 switches are branches, 2 blocks are duplicated
// PLAN: plan of border$mesi$copy
// PLAN: merge 2x4x1 blocks
// The kernel keeps its switch. In the version all replicas load before one of them stores, on each of the sides.
// CHECK-LABEL: define {{.*}} @border(
// CHECK: switch i32
// CHECK-LABEL: define {{.*}} @"border$mesi$0"(
// CHECK: mesi.fast:
// CHECK-NOT: switch
// CHECK-COUNT-8: load float, ptr %
// CHECK: store float
// CHECK: icmp eq i32 %{{.*}}, 0
// CHECK: mesi.then
// CHECK-COUNT-8: load float, ptr %
// CHECK: store float
// CHECK: icmp eq i32 %{{.*}}, 15
extern "C" __global__ void border(const float *__restrict__ x, float *__restrict__ y, int w) {
  __shared__ float tile[T + 2][T];
  int tx = threadIdx.x, ty = threadIdx.y, i = (blockIdx.y * T + ty) * w + blockIdx.x * T + tx;
  tile[ty + 1][tx] = x[i];
  if (ty == 0)
    tile[0][tx] = x[i - w];
  else if (ty == T - 1)
    tile[T + 1][tx] = x[i + w];
  if (tx == 0)
    tile[ty + 1][tx] += x[i - 1];
  else if (tx == T - 1)
    tile[ty + 1][tx] += x[i + 1];
  __syncthreads();
  y[i] = tile[ty][tx] + tile[ty + 1][tx] + tile[ty + 2][tx];
}
// Cases that lead to one place are one comparison, and what leads to the default's is none. Phis keep their values.
// PLAN-LABEL: plan of values
// PLAN: structurized: its control flow is nested: 1 switches are branches, 0 blocks are duplicated
// CHECK-LABEL: define {{.*}} @"values$mesi$0"(
// CHECK: [[A:%.*]] = icmp eq i32 %{{.*}}, 3
// CHECK: [[B:%.*]] = icmp eq i32 %{{.*}}, 7
// CHECK: or i1 [[A]], [[B]]
extern "C" __global__ void values(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int kind, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float by = 0;
  switch (kind) {
  case 3:
  case 7: by = x[i] * x[i + 1]; break;
  case 4: by = x[2 * i] + w[1]; break;
  case 5: break;
  }
  float s = 0;
  for (int k = 0; k < n; k++)
    s += w[k] * x[i + k];
  y[i] = s + by;
}
// Too many places for a chain.
// PLAN-LABEL: plan of many
// PLAN-NOT: structurized
extern "C" __global__ void many(const float *__restrict__ x, float *__restrict__ y, int kind) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  switch (kind) {
  case 0: y[i] = x[i] + 1; break;
  case 1: y[2 * i] = x[i] * 3; break;
  case 2: y[i + 4] = x[i] / 3; break;
  case 3: y[i + 5] = x[i] * x[i]; break;
  case 4: y[i * 3] = x[3 * i]; break;
  }
}
