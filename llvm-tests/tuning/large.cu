// Which launches run a version from the first one on: those that are large, by threads and by the trips of the deepest loops that the host can
// tell, as the model has the time of an iteration, if the model is sure of the version. It is not where elements of less than a word would be copied one by one.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: define zeroext i1 @"_Z7product{{.*}}$mesi$0$large$gate"
// CHECK: call { i64, i1 } @llvm.smul.with.overflow.i64(
// CHECK: icmp sle i64 1078076692, {{%[0-9]+}}
// CHECK-NOT: define zeroext i1 @"_Z7product{{.*}}$mesi$1$large$gate"
// CHECK-LABEL: define zeroext i1 @"_Z7columns{{.*}}$mesi$0$pays$gate"
// CHECK: and i32 {{%[0-9]+}}, 3
// CHECK-NEXT: icmp eq i32 {{%[0-9]+}}, 0
__global__ void product(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n)
    return;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[i * n + k] * b[k * n + j];
  c[i * n + j] = s;
}
__global__ void columns(const signed char *a, const signed char *x, int *y, int m, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n)
    return;
  int s = 0;
  for (int i = 0; i < m; i++)
    s += a[i * n + j] * x[i];
  y[j] = s;
}
