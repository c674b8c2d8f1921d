// A window whose inner loop is the longer or shorter by the outer one has no number of elements that a launch tells, so
// neither the entry nor the host can ask for it: nothing is merged, with tiles or without. With the length in the launch it is.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// It compiles.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.o
#define ROW int i = blockIdx.x * blockDim.x + threadIdx.x
#define COLUMN int r = blockIdx.y * blockDim.y + threadIdx.y
// CHECK-LABEL: plan of _Z8trianglePKfS0_Pfii
// CHECK-NOT: merge
// CHECK: x not staged: NotProfitable
__global__ void triangle(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int m, int n) {
  ROW;
  float s = 0;
  for (int j = 0; j < n; j++)
    for (int k = j; k < n; k++)
      s += a[j * 256 + k] * x[k + i];
  if (i < m)
    y[i] = s;
}
// CHECK-LABEL: plan of _Z6squarePKfS0_Pfii
// CHECK-NOT: merge
// CHECK: x not staged: NotProfitable
__global__ void square(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int m, int n) {
  ROW;
  COLUMN;
  if (i < m && r < m) {
    float s = 0;
    for (int j = 0; j < n; j++)
      for (int k = 0; k <= j; k++)
        s += x[(r + j) * (m + n) + i + k] * a[j * n + k];
    y[r * m + i] = s;
  }
}
// CHECK-LABEL: plan of _Z5wholePKfS0_Pfii
// CHECK: merge
__global__ void whole(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int m, int n) {
  ROW;
  COLUMN;
  if (i < m && r < m) {
    float s = 0;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        s += x[(r + j) * (m + n) + i + k] * a[j * n + k];
    y[r * m + i] = s;
  }
}
