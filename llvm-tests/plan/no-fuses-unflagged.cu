// Products and sums without the flag `contract` fuse like all others, as clang tells the back end to fuse whatever meets in
// a block: the last product of libdevice's expf has none, and nothing has it where the source says so. So a loop that
// carries such a product into a sum is left alone, and not lengthened either; one that sums up what expf gives is staged.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=IR --input-file=%t.ll
// CHECK-DAG: not staged: 'arg0' in by_library: loop0 carries a product into a sum, which unrolling may fuse or not (FusesAcrossIterations)
// CHECK-DAG: not staged: 'arg0' in by_pragma: loop0 carries a product into a sum, which unrolling may fuse or not (FusesAcrossIterations)
// CHECK-DAG: staged 'arg0' in sum_of_library
// IR: define {{.*}} @_Z9by_pragma
// IR-NOT: mesi.group
// IR: define {{.*}} @_Z14sum_of_library
__global__ void by_library(const float *__restrict__ a, float *__restrict__ y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float s = 0;
    for (int k = 0; k < n; k++)
      s = expf(a[row * n + k] - s);
    y[row] = s;
  }
}
__global__ void by_pragma(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ y, int m, int n) {
#pragma clang fp contract(off)
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float s = 0;
    for (int k = 0; k < n; k++)
      s = (s + a[row * n + k]) * w[k];
    y[row] = s;
  }
}
__global__ void sum_of_library(const float *__restrict__ a, float *__restrict__ y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float s = 0;
    for (int k = 0; k < n; k++)
      s += expf(a[row * n + k]);
    y[row] = s;
  }
}
