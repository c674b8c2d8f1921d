// LLVM takes a product out of a branch that leaves the sum there, since others take the product, too: the kernel rounds both, though they stand
// in one block. Versions, whose branches are others, would fuse them.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-missed=mesi -S %s -o %t.ptx 2> %t.remarks
// RUN: %FileCheck %s < %t.ptx
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// REMARK: kernel leaves: no versions: which of its products are rounded before they are added is settled by what LLVM does to its branches and loops behind the plug-in
// REMARK-NOT: kernel stays: no versions
// CHECK-LABEL: .entry leaves(
// CHECK: mul.f32
// CHECK: add.f32
// CHECK-LABEL: .entry stays(
// CHECK: fma.rn.f32
// CHECK-NOT: leaves$mesi
// CHECK: .entry stays$mesi$0(
extern "C" __global__ void leaves(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ sum, float *__restrict__ product, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i];
  if (v > 0) {
    float q = v * a;
    sum[i] = q + y[i];
    product[i] = q;
  }
}

// Here nothing is left behind.
extern "C" __global__ void stays(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ sum, float *__restrict__ product, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float q = x[i] * a;
  sum[i] = q + y[i];
  product[i] = q;
}
