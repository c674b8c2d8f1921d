// Strips whose iterations wait for each other through memory are left alone: what they wait for is no copy's to shorten. The same loop with what it stores
// in an array that it does not load is staged as before.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: plan of _Z7forwardPKdS0_PdS1_ii
// CHECK-NOT: region0
// CHECK: D not staged: NotProfitable
// CHECK-LABEL: plan of _Z4onlyPKdS0_PdS1_ii
// CHECK: region0: {{.*}} in strips
__global__ void forward(const double *L, const double *D, double *U, double *R, int m, int n) {
  int t = threadIdx.x + blockDim.x * blockIdx.x;
  if (t < n)
    for (int i = t + n; i < n * (m - 1) + t; i += n) {
      U[i] /= D[i] - L[i] * U[i - n];
      R[i] = (R[i] - L[i] * R[i - n]) / (D[i] - L[i] * U[i - n]);
    }
}
__global__ void only(const double *L, const double *D, double *U, double *R, int m, int n) {
  int t = threadIdx.x + blockDim.x * blockIdx.x;
  if (t < n)
    for (int i = t + n; i < n * (m - 1) + t; i += n) {
      U[i] = D[i] - L[i];
      R[i] = D[i] / L[i];
    }
}
