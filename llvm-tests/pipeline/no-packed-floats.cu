// From sm_100 LLVM packs pairs of floats as well. A product that the original fuses is fused by its versions in so many words, so that
// none is torn from its sum there. In the end it is looked at all the same. Kernels without tiles are left alone.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_100 -O3 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=IR --input-file=%t.ll
// CHECK-NOT: PackedMath
// CHECK: staged 'arg0' in product
// CHECK-NOT: PackedMath
// IR: define {{.*}} @_Z10triangular
// IR-NOT: mesi.
// IR: {{^}$}}
// IR: define {{.*}} @"_Z7product{{.*}}$mesi$0"
// IR-NOT: br i1 {{true|false}},
// IR: {{^}$}}
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o %t.90.ll -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s --check-prefix=OLD
// OLD-NOT: PackedMath
__global__ void product(const float *A, const float *B, float *C, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float s = 0;
    for (int k = 0; k < n; k++)
      s += A[row * n + k] * B[k * n + col];
    C[row * n + col] = s;
  }
}
__global__ void triangular(const float *L, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = 0; j <= i; j++)
      sum += L[i * n + j] * x[j];
    y[i] = sum;
  }
}
