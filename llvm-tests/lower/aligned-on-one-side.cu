// Numbers of 8 bytes that only one side of a branch promises to be aligned are copied as the other side reads them.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o - -fpass-plugin=%mesi -mllvm -mesi-force | %FileCheck %s
// CHECK: define {{.*}} @_Z6either
// CHECK-NOT: load i64, ptr {{.*}}, align 8
// CHECK: load i64, ptr {{.*}}, align 4
// CHECK: store i64 {{.*}}, ptr addrspace(3) {{.*}}, align 8
struct __attribute__((packed, aligned(4))) Packed {
  double d;
};
__global__ void either(const float *b, double *y, int n, int m, int o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const char *a = (const char *)(b + o);
  double s = 0;
  for (int k = 0; k < m; k++) {
    if (o == 0)
      s += 2 * ((const double *)a)[k];
    else
      s -= ((const Packed *)a)[k].d * 3;
  }
  y[i] = s;
}
