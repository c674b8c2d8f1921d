// A product of one iteration is also one of the next, and each iteration adds up two: unrolling decides how often the
// shared one is used, and the back end fuses the one with fewer uses. So such loops are left alone, whether the shared
// factor is loaded again or handed on. Where no iteration makes another's product, the loop is staged.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// CHECK-DAG: not staged: 'arg0' in loaded_again: iterations of loop0 may share products{{.*}} (SharesProducts)
// CHECK-DAG: not staged: 'arg0' in handed_on: iterations of loop0 may share products{{.*}} (SharesProducts)
// CHECK-DAG: staged 'arg0' in side_by_side
// CHECK-DAG: staged 'arg0' in other_factors
// Of values each of which is used twice in the next, all pairs are compared once, and not once for each way to them.
// CHECK-DAG: staged 'arg0' in in_many_steps
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o - -fpass-plugin=%mesi -mllvm -mesi-force -mllvm -mesi-merge=2x1x1 -mllvm -mesi-shared=0 | %FileCheck %s --check-prefix=IR
// IR: define {{.*}} @_Z12loaded_again
// IR-NOT: mesi.
// IR: define {{.*}} @_Z12side_by_side
__global__ void loaded_again(const float *A, float *y, int m, int s, int e) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float sum = 0, w = 0.1f * s;
    for (int j = 0; j < e; j++)
      sum += fabsf(A[row * 256 + j] * w + A[row * 256 + j + 1] * w);
    y[row] = sum;
  }
}
__global__ void handed_on(const float *A, float *y, int m, int s, int e) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float sum = 0, w = 0.1f * s, before = A[row * 256];
    for (int j = 1; j < e; j++) {
      float now = A[row * 256 + j];
      sum += fabsf(before * w + now * w);
      before = now;
    }
    y[row] = sum;
  }
}
__global__ void side_by_side(const float *A, const float *B, float *y, int m, int s, int e) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float sum = 0, w = 0.1f * s;
    for (int j = 0; j < e; j++)
      sum += fabsf(A[row * 256 + j] * w + B[row * 256 + j] * w);
    y[row] = sum;
  }
}
__global__ void other_factors(const float *A, float *y, int m, float v, float w, int e) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float sum = 0;
    for (int j = 0; j < e; j++)
      sum += fabsf(A[row * 256 + j] * w + A[row * 256 + j + 1] * v);
    y[row] = sum;
  }
}
__global__ void in_many_steps(const float *A, const float *B, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < n; j++) {
    float x = A[j];
#pragma unroll
    for (int i = 0; i < 20; i++)
      x = x * x + 1.0f;
    sum += x * x + x * B[row * n + j];
  }
  y[row] = sum;
}
