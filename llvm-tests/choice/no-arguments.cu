// A launch by hand without arguments goes to the runtime as it is, which says what is wrong with it.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.o
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// CHECK: grid 0 1 1 block 96 1 1 shared 0: _Z2k1PKfPfii{{$}}
// The other one is asked about as ever.
// CHECK: _Z2k1PKfPfii
#include <cstdio>
__global__ void k1(const float *v, float *out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float s = 0;
  for (int k = 0; k < n; k++) s += v[i * n + k];
  out[i] = s;
}
int main() {
  printf("%d\n", (int)cudaLaunchKernel((const void *)k1, dim3(0), dim3(96), nullptr, 0, nullptr));
  const float *v = 0; float *o = 0; int m = 1 << 20, n = 512;
  void *args[] = {&v, &o, &m, &n};
  printf("%d\n", (int)cudaLaunchKernel((const void *)k1, dim3(4096), dim3(256), args, 0, nullptr));
}
