// Each thread keeps 60 sums. Without launch bounds the kernel must stay launchable with 1024 threads,
// which leaves each 64 registers; with a second body beside it the count could rise. Eight sums are no
// danger, and with launch bounds 60 are none either: the back end keeps within them.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 --cuda-device-only -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -mllvm -mesi-force -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// CHECK-DAG: not staged: kernel many: the kernel needs about {{[0-9]+}} registers, and launches without bounds leave 64 (RegisterPressure)
// CHECK-DAG: staged '{{.*}}' in few
// CHECK-DAG: staged '{{.*}}' in bounded
template <int N> __device__ void sums(const float *x, float *y, int n) {
  float sum[N];
#pragma unroll
  for (int j = 0; j < N; j++)
    sum[j] = 0;
  for (int k = 0; k < n; k++) {
    float v = x[k];
#pragma unroll
    for (int j = 0; j < N; j++)
      sum[j] += v * (j + 2);
  }
#pragma unroll
  for (int j = 0; j < N; j++)
    y[threadIdx.x * N + j] = sum[j];
}
__global__ void many(const float *__restrict__ x, float *__restrict__ y, int n) { sums<60>(x, y, n); }
__global__ void few(const float *__restrict__ x, float *__restrict__ y, int n) { sums<8>(x, y, n); }
__global__ void __launch_bounds__(256) bounded(const float *__restrict__ x, float *__restrict__ y, int n) {
  sums<60>(x, y, n);
}
