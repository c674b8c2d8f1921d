// Strips in flight, down to machine code: asynchronous copies of 16 and of 4 bytes, groups waited for,
// tiles read by fours where threads read along their rows, and slots that cost no address arithmetic
// in the unrolled strip. An older chip gets loads and stores, and no asynchronous copy.
// REQUIRES: cuda
// RUN: for arch in sm_80 sm_90; do \
// RUN:   %clang %cuda-flags --cuda-gpu-arch=$arch -O3 --cuda-device-only -S %s -o %t.$arch.ptx -fpass-plugin=%mesi -mllvm -mesi-force; \
// RUN:   %FileCheck %s < %t.$arch.ptx; \
// RUN:   %ptxas -arch $arch -o %t.cubin %t.$arch.ptx; done
// CHECK-LABEL: .entry _Z7productPKfS0_Pfi$mesi$0
// CHECK: cp.async.wait_group 0;
// CHECK-NEXT: bar.sync 0;
// CHECK: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16;
// CHECK: cp.async.ca.shared.global [%{{.*}}], [%{{.*}}], 4;
// CHECK: cp.async.commit_group;
// CHECK: ld.shared.v4.b32
// CHECK-COUNT-16: fma.rn.f32
// CHECK-LABEL: .entry _Z4rowsPKfS0_Pfi
// CHECK-DAG: cp.async.wait_group 1;
// CHECK-DAG: cp.async.wait_group 2;
// CHECK: bar.sync 0;
// CHECK: ld.shared
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_75 -O3 --cuda-device-only -S %s -o %t.sm_75.ptx -fpass-plugin=%mesi -mllvm -mesi-force -mllvm -mesi-depth=2
// RUN: %FileCheck %s -check-prefix=OLD < %t.sm_75.ptx
// RUN: %ptxas -arch sm_75 -o %t.cubin %t.sm_75.ptx
// OLD-NOT: cp.async
// OLD: bar.sync 0;
// OLD-NOT: cp.async
__global__ void product(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  }
}
__global__ void rows(const float *a, const float *x, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += a[row * n + k] * x[k];
    y[row] = sum;
  }
}
