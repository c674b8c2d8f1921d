// An original whose loops were lengthened, or load what is not in L1, may take 64 registers, with launch bounds too; where
// the program limits them itself, it keeps what ptxas makes of that, and so does a loop that reads the same again and again.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -S -fpass-plugin=%mesi %s -o - | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// PLAN: plan of _Z4freePKfPfi
// PLAN: the original reads far
// PLAN: plan of _Z6reusedPKfS0_Pfiii
// PLAN-NOT: the original reads far
// CHECK: .entry _Z4freePKfPfi$original(
// CHECK: .maxnreg 64
// CHECK: .entry _Z5boundPKfPfi$original(
// CHECK: .maxntid 256
// CHECK-NEXT: .maxnreg 64
// CHECK: .entry _Z5fixedPKfPfi$original(
// CHECK: .minnctapersm 4
// CHECK-NOT: .maxnreg
// CHECK: .entry _Z6reusedPKfS0_Pfiii$original(
// CHECK-NOT: .maxnreg
// CHECK: {
__global__ void free(const float *a, float *sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
__global__ void __launch_bounds__(256) bound(const float *a, float *sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
__global__ void __launch_bounds__(256, 4) fixed(const float *a, float *sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
__global__ void reused(const float *x, const float *f, float *y, int n, int bands, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float total = 0;
    for (int b = 0; b < bands; b++) {
      float sum = 0;
      for (int t = 0; t < taps; t++)
        sum += x[i + t] * f[b];
      total += sum * sum;
    }
    y[i] = total;
  }
}
