// From sm_100 LLVM packs pairs of floats as well: no product is torn from its sum in windows (no-packed-floats.cu).
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_100 -O3 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=IR --input-file=%t.ll
// CHECK-NOT: PackedMath
// CHECK: staged 'arg0' in fir
// CHECK-NOT: PackedMath
// IR: define {{.*}} @"_Z3fir{{.*}}$mesi$0"
// IR-NOT: br i1 {{true|false}},
// IR: llvm.fmuladd.f32
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o %t.90.ll -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s --check-prefix=OLD
// OLD-NOT: PackedMath
__global__ void fir(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < taps; k++)
    sum += w[k] * x[i + k];
  y[i] = sum;
}
