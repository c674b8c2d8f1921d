// Kernels whose launches ask nothing: those that another file may replace, of which nothing is known here, and those whose companions' names are taken.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -mllvm -mesi-reshape=off -c %s -o %t.o && %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// RUN: %clang %cuda-flags -fgpu-rdc --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.rdc.o && grep -q 'inlined.*mesi.0.name' %t.rdc.o && %not grep -q 'weak.*mesi.0.name' %t.rdc.o && %not grep -q 'named.mesi.1.name' %t.rdc.o
#define ROWS                                               \
  (const float *a, float *sums, int m, int n) {            \
    int row = blockIdx.x * blockDim.x + threadIdx.x;       \
    if (row >= m)                                          \
      return;                                              \
    float s = 0;                                           \
    for (int i = 0; i < n; i++)                            \
      s += a[row * n + i];                                 \
    sums[row] = s;                                         \
  }
__attribute__((weak)) __global__ void weak ROWS
inline __global__ void inlined ROWS
extern "C" __global__ void named ROWS
extern "C" __global__ void named$mesi$0(float *x) { x[threadIdx.x] = 1; }
int main() {
  float *p = (float *)0x7f0000000000, *q = p + (1 << 28);
  // CHECK: _Z7inlinedPKfPfii$mesi$0{{$}}
  inlined<<<32, 256>>>(p, q, 8192, 8192);
  // CHECK: _Z4weakPKfPfii{{$}}
  weak<<<32, 256>>>(p, q, 8192, 8192);
  // Its first version's name is taken.
  // CHECK: : named{{$}}
  named<<<32, 256>>>(p, q, 8192, 8192);
  // CHECK: : named$mesi$0{{$}}
  named$mesi$0<<<1, 256>>>(p);
}
