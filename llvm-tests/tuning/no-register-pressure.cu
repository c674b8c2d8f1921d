// Each thread keeps 120 sums. Versions as kernels of their own are launched in blocks of 512 threads at most, which leaves each 128
// registers. As second bodies they must stay launchable with 1024 threads, and 60 sums are too many: with another body beside it the
// count could rise. Eight sums are no danger, and with launch bounds 60 are none either: the back end keeps within them.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 --cuda-device-only -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -mllvm -mesi-force -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 --cuda-device-only -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -mllvm -mesi-force -mllvm -mesi-form=inside -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s -check-prefix=INSIDE
// CHECK-DAG: not staged: kernel most: the kernel needs about {{[0-9]+}} registers, and without launch bounds 128 are left (RegisterPressure)
// CHECK-DAG: staged '{{.*}}' in many
// INSIDE-DAG: not staged: kernel most: the kernel needs about {{[0-9]+}} registers, and without launch bounds 64 are left (RegisterPressure)
// INSIDE-DAG: not staged: kernel many: the kernel needs about {{[0-9]+}} registers, and without launch bounds 64 are left (RegisterPressure)
// INSIDE-DAG: staged '{{.*}}' in few
// INSIDE-DAG: staged '{{.*}}' in bounded
// CHECK-DAG: staged '{{.*}}' in few
// CHECK-DAG: staged '{{.*}}' in bounded
template <int N> __forceinline__ __device__ void sums(const float *x, float *y, int n) {
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
__global__ void most(const float *__restrict__ x, float *__restrict__ y, int n) { sums<120>(x, y, n); }
__global__ void many(const float *__restrict__ x, float *__restrict__ y, int n) { sums<60>(x, y, n); }
__global__ void few(const float *__restrict__ x, float *__restrict__ y, int n) { sums<8>(x, y, n); }
__global__ void __launch_bounds__(256) bounded(const float *__restrict__ x, float *__restrict__ y, int n) {
  sums<60>(x, y, n);
}
