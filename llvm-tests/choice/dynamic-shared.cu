// Launches that ask for dynamic shared memory which the kernel does not use: tiles leave room for some. What they leave none for is the kernel's.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -mllvm -mesi-shared=32768 -c %s -o %t.o && %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// Images differ in what they have of their own, 16 KiB in one: a version has room only if it has in all.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -DAPART -mllvm -mesi-shared=32768 -c %s -o %t.two.o && %clang %t.two.o %t.runtime.o -o %t.two.exe && env MESI_CHOICE=prior %t.two.exe | %FileCheck %s -check-prefix=TWO
// TWO: shared 0: _Z4rowsPKfPfii$mesi$0{{$}}
// TWO-NEXT: {{.*}} shared 16384: _Z4rowsPKfPfii$mesi$0{{$}}
// TWO-NEXT: {{.*}} shared 20480: _Z4rowsPKfPfii{{$}}
// TWO-NEXT: {{.*}} shared 49152: _Z4rowsPKfPfii{{$}}
#if defined(APART) && __CUDA_ARCH__ == 800
#define MORE 4096
#else
#define MORE 1
#endif
__global__ void rows(const float *a, float *sums, int m, int n) {
  __shared__ volatile float own[MORE];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  if (MORE > 1)
    own[threadIdx.x] = 0;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
// Tiles of 32 KiB leave 16.
int main() {
  float *p = (float *)0x7f0000000000, *q = p + (1 << 28);
  // CHECK: shared 0: _Z4rowsPKfPfii$mesi$0{{$}}
  rows<<<32, 256>>>(p, q, 8192, 8192);
  // CHECK-NEXT: grid 32 1 1 block 256 1 1 shared 16384: _Z4rowsPKfPfii$mesi$0{{$}}
  rows<<<32, 256, 16 << 10>>>(p, q, 8192, 8192);
  // CHECK-NEXT: grid 32 1 1 block 256 1 1 shared 20480: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, 20 << 10>>>(p, q, 8192, 8192);
  // CHECK-NEXT: grid 32 1 1 block 256 1 1 shared 49152: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, 48 << 10>>>(p, q, 8192, 8192);
  // CHECK-NEXT: grid 32 1 1 block 256 1 1 shared 49153: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, (48 << 10) + 1>>>(p, q, 8192, 8192);
  // Of a short loop nothing is gained.
  // CHECK-NEXT: grid 32 1 1 block 256 1 1 shared 1024: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, 1 << 10>>>(p, q, 8192, 2);
  // What a stream records is the kernel's, if it can be.
  cudaStream_t records = (cudaStream_t)16;
  // CHECK-NEXT: grid 32 1 1 block 256 1 1 shared 1024: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, 1 << 10, records>>>(p, q, 8192, 2);
  // CHECK-NEXT: grid 32 1 1 block 256 1 1 shared 40960: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, 40 << 10, records>>>(p, q, 8192, 8192);
}
