// What a stream records for a graph is the program's own launch: a node may get other arguments, grids and blocks later, and is told by its function.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.o && %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s -check-prefixes=CHECK,ALL
// Threads that have a default stream each.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Xclang -fgpu-default-stream=per-thread -c %s -o %t.own.o && %clang %t.own.o %t.runtime.o -o %t.own.exe && env MESI_CHOICE=prior %t.own.exe | %FileCheck %s -check-prefixes=CHECK,OWN
// A runtime without capture: programs link as before.
// RUN: %clang -O2 -DNO_CAPTURE -c %S/Inputs/runtime.cpp -o %t.old.o && %clang %t.o %t.old.o -o %t.old.exe && env MESI_CHOICE=prior %t.old.exe | %FileCheck %s -check-prefix=OLD
// OLD-COUNT-3: grid 256 1 1 block 32 1 1 shared 0: _Z4rowsPKfPfii$mesi$0{{$}}
__global__ void rows(const float *a, float *sums, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
int main() {
  float *p = (float *)0x7f0000000000, *q = p + (1 << 28);
  // The runtime says of streams from 16 on that they record, and of none that it does where it is a thread's own.
  cudaStream_t none = 0, runs = (cudaStream_t)8, records = (cudaStream_t)16, all = (cudaStream_t)1;
  // ALL: grid 256 1 1 block 32 1 1 shared 0: _Z4rowsPKfPfii$mesi$0{{$}}
  // OWN: grid 32 1 1 block 256 1 1 shared 0: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, 0, none>>>(p, q, 8192, 8192);
  // CHECK: grid 256 1 1 block 32 1 1 shared 0: _Z4rowsPKfPfii$mesi$0{{$}}
  rows<<<32, 256, 0, runs>>>(p, q, 8192, 8192);
  // CHECK: grid 256 1 1 block 32 1 1 shared 0: _Z4rowsPKfPfii$mesi$0{{$}}
  rows<<<32, 256, 0, all>>>(p, q, 8192, 8192);
  // CHECK: grid 32 1 1 block 256 1 1 shared 0: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, 0, records>>>(p, q, 8192, 8192);
  // No version gains.
  // CHECK: grid 32 1 1 block 256 1 1 shared 0: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, 0, runs>>>(p, q, 8192, 2);
  // CHECK: grid 32 1 1 block 256 1 1 shared 0: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, 0, records>>>(p, q, 8192, 2);
}
