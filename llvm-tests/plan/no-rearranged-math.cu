// With -ffast-math LLVM rearranges sums and quotients after the plug-in, by what stands around them: a product of complex
// numbers and a softmax had other bits. So kernels are left alone whose arithmetic may be rearranged, but not those
// that use approximate functions or flush denormal numbers, and none of whole numbers.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -ffast-math --cuda-device-only -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -mllvm -mesi-force -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// CHECK-DAG: not staged: kernel real: LLVM may rearrange its arithmetic (-ffast-math){{.*}} (RearrangedMath)
// CHECK-DAG: staged '{{.*}}' in whole
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -freciprocal-math --cuda-device-only -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -mllvm -mesi-force -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -ffast-math -fno-associative-math -fno-reciprocal-math -fsigned-zeros -fgpu-approx-transcendentals -fgpu-flush-denormals-to-zero --cuda-device-only -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -mllvm -mesi-force -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s -check-prefix=SAFE
// SAFE-NOT: RearrangedMath
// SAFE-DAG: staged '{{.*}}' in real
// SAFE-DAG: staged '{{.*}}' in whole
__global__ void real(const float *__restrict__ x, float *__restrict__ y, int n, float s) {
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += __expf(x[k] / s);
  y[threadIdx.x] = sum;
}
__global__ void whole(const int *__restrict__ x, int *__restrict__ y, int n) {
  int sum = 0;
  for (int k = 0; k < n; k++)
    sum += x[k];
  y[threadIdx.x] = sum;
}
