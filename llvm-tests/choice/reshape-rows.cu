// Blocks of several short rows become blocks of 32x8 threads, where nobody can tell which block a thread is in, along no dimension.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// RUN: env MESI_CHOICE=pin:_Z6layersPKfPfiii=4 %t.exe | %FileCheck %s -check-prefix=LAYERS
// RUN: env MESI_CHOICE=pin:_Z5solidPKfPfiii=5 %t.exe | %FileCheck %s -check-prefix=SOLID
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: grep -qE "remark: .*solid.*in place of rows of" %t.remarks && %not grep -qE "remark: .*(no_|bounded|alone).*in place of rows of" %t.remarks
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -mllvm -mesi-reshape=off -c %s -o %t.off.o && %clang %t.off.o %t.runtime.o -o %t.off.exe && env MESI_CHOICE=prior %t.off.exe | %FileCheck %s -check-prefix=OFF
// OFF: grid 64 64 1 block 8 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0
// Images that do not agree on layers: each tells what the other does not, so blocks keep them.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.two.o && %clang %t.two.o %t.runtime.o -o %t.two.exe && env MESI_CHOICE=pin:_Z5layerPKfPfiii=4 %t.two.exe | %FileCheck %s -check-prefix=SAME
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -DAPART -c %s -o %t.apart.o && %clang %t.apart.o %t.runtime.o -o %t.apart.exe && env MESI_CHOICE=pin:_Z5layerPKfPfiii=4 %t.apart.exe | %FileCheck %s -check-prefix=APART
// SAME: grid 16 64 192 block 32 8 1 shared 0: _Z5layerPKfPfiii
// APART: grid 64 64 48 block 8 8 4 shared 0: _Z5layerPKfPfiii
#if defined(APART) && __CUDA_ARCH__ == 800
#define ON_ONE(a, b) a
#else
#define ON_ONE(a, b) b
#endif

// REMARK: product: host code that is compiled with mesi may launch it in blocks of 32x8 threads in place of rows of 1 to 8 if there are 2112 of them or more, of 8 in smaller blocks
// PLAN-LABEL: plan of _Z7productPKfS0_Pfiii
// PLAN: launched by the host in blocks of 256 threads in place of more in rows of 16 to 32
// PLAN-NEXT: launched by the host in blocks of 32x8 threads in place of rows of 1 to 8 if there are 2112 of them or more, of 8 in smaller blocks
// PLAN-NEXT: threads of use there: id < v
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}
#define SOLID                                                                                                                    \
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = Z;                               \
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)                                                      \
    return;                                                                                                                      \
  int i = (z * ny + y) * nx + x, layer = nx * ny;                                                                                \
  b[i] = a[i] + a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - layer] + a[i + layer];
// The limit along x is one of six.
// PLAN-LABEL: plan of _Z5solidPKfPfiii
// PLAN: launched by the host in blocks of 32x8 threads in place of rows of 1 to 8 if there are 2112 of them or more{{$}}
#define Z (blockIdx.z * blockDim.z + threadIdx.z)
__global__ void solid(const float *a, float *b, int nx, int ny, int nz) { SOLID }
__global__ void layer(const float *a, float *b, int nx, int ny, int nz) { SOLID b[i] += ON_ONE(threadIdx.z, 0); }
// A layer of the block is told, so blocks keep them.
// PLAN-LABEL: plan of _Z6layersPKfPfiii
// PLAN: launched by the host in blocks of 32x8 threads
#undef Z
#define Z (blockIdx.z * 2 + threadIdx.z)
__global__ void layers(const float *a, float *b, int nx, int ny, int nz) { SOLID }
// A row of the block, or a column, is told.
// PLAN-LABEL: plan of _Z6no_rowPKfPfi
// PLAN-NOT: in place of rows of
__global__ void no_row(const float *a, float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  b[y * n + x] = a[y * n + x] + a[y * n + x + 1];
}
// PLAN-LABEL: plan of _Z9no_columnPKfPfi
// PLAN-NOT: in place of rows of
__global__ void no_column(const float *a, float *b, int n) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  b[y * n + x] = a[y * n + x] + a[y * n + x + 1];
}
// There are no rows, as far as the kernel knows: more threads along x would do the same again.
// PLAN-LABEL: plan of _Z5alonePKfPfi
// PLAN-NOT: in place of rows of
__global__ void alone(const float *a, float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  b[x] = a[x] + a[x + 1];
}
// Columns of threads that walk along memory, though they are merged.
// PLAN-LABEL: plan of _Z5no_upPKfPfiii
// PLAN: merge
// PLAN-NOT: in place of rows of
__global__ void no_up(const float *a, float *b, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * a[i * n + col];
  b[row * n + col] = s;
}
// A limit that such blocks would exceed.
// PLAN-LABEL: plan of _Z7boundedPKfPfi
// PLAN-NOT: in place of rows of
__global__ void __launch_bounds__(128) bounded(const float *a, float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  b[y * n + x] = a[y * n + x] + a[y * n + x + 1];
}

int main() {
  float *p = (float *)0x7f0000000000, *q = p + (1 << 28);
  // CHECK: grid 16 64 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(256, 256), dim3(8, 8)>>>(p, q, p, 2048, 2048, 2048);
  // Too few blocks to fill the chip, and just as many as are enough.
  // CHECK: grid 32 17 1 block 8 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(128, 65), dim3(8, 8)>>>(p, q, p, 520, 1024, 2048);
  // CHECK: grid 8 17 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(128, 66), dim3(8, 8)>>>(p, q, p, 528, 1024, 2048);
  // CHECK: grid 16 64 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(512, 512), dim3(4, 4)>>>(p, q, p, 2048, 2048, 2048);
  // What has tiles keeps blocks as large, unless their rows are shorter still.
  // CHECK: grid 64 16 1 block 8 32 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(256, 64), dim3(8, 32)>>>(p, q, p, 2048, 2048, 2048);
  // CHECK: grid 16 64 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(512, 32), dim3(4, 64)>>>(p, q, p, 2048, 2048, 2048);
  // CHECK: grid 16 64 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(2048, 8), dim3(1, 256)>>>(p, q, p, 2048, 2048, 2048);
  // Rows that are long enough.
  // CHECK: grid 32 64 1 block 16 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(128, 256), dim3(16, 8)>>>(p, q, p, 2048, 2048, 2048);
  // CHECK: grid 64 64 1 block 12 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(256, 256), dim3(12, 8)>>>(p, q, p, 2048, 2048, 2048);
  // Rows of a grid that are no whole number of long ones: threads more, if those end at once.
  // CHECK: grid 16 64 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(255, 256), dim3(8, 8)>>>(p, q, p, 2048, 2040, 2048);
  // Where a thread of use is missing, whole groups of merged blocks would have it: the kernel runs.
  // CHECK: grid 255 256 1 block 8 8 1 shared 0: _Z7productPKfS0_Pfiii{{$}}
  product<<<dim3(255, 256), dim3(8, 8)>>>(p, q, p, 2048, 2041, 2048);
  // Rows that would be half empty, or but a ninth.
  // CHECK: grid 2 1000 1 block 8 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(5, 4000), dim3(8, 8)>>>(p, q, p, 32000, 40, 2048);
  // CHECK: grid 3 1000 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(36, 4000), dim3(8, 8)>>>(p, q, p, 32000, 288, 2048);
  // CHECK: grid 1 1000 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(11, 4000), dim3(8, 8)>>>(p, q, p, 32000, 88, 2048);
  // CHECK: grid 3 1000 1 block 8 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(10, 4000), dim3(8, 8)>>>(p, q, p, 32000, 80, 2048);
  // Along y as along x: threads more, if those end at once.
  // CHECK: grid 16 33 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(256, 257), dim3(8, 4)>>>(p, q, p, 1028, 2048, 2048);
  // CHECK: grid 256 257 1 block 8 4 1 shared 0: _Z7productPKfS0_Pfiii{{$}}
  product<<<dim3(256, 257), dim3(8, 4)>>>(p, q, p, 1029, 2048, 2048);
  // Flat blocks, and those of no whole warps; square ones stay, and grids of few blocks.
  // CHECK: grid 16 63 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(8, 1999), dim3(256)>>>(p, q, p, 1999, 2048, 2048);
  // CHECK: grid 16 63 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(21, 1000), dim3(96, 2)>>>(p, q, p, 1999, 2011, 2048);
  // CHECK: grid 16 63 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(170, 168), dim3(12, 12)>>>(p, q, p, 2011, 2040, 2048);
  // CHECK: grid 32 512 1 block 64 4 1 shared 0: _Z7productPKfS0_Pfiii{{$}}
  product<<<dim3(32, 512), dim3(64, 4)>>>(p, q, p, 2048, 2048, 2048);
  // CHECK: grid 1 128 1 block 256 1 1 shared 0: _Z7productPKfS0_Pfiii{{$}}
  product<<<dim3(1, 128), dim3(256)>>>(p, q, p, 128, 256, 2048);
  // A layer of blocks is one.
  // CHECK: grid 16 64 3 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(256, 256, 3), dim3(8, 8)>>>(p, q, p, 2048, 2048, 2048);
  // CHECK: grid 64 64 1 block 8 8 2 shared 0: _Z7productPKfS0_Pfiii$mesi$0{{$}}
  product<<<dim3(256, 256), dim3(8, 8, 2)>>>(p, q, p, 2048, 2048, 2048);
  // SOLID: grid 16 16 192 block 32 8 1 shared 0: _Z5solidPKfPfiii$mesi$0{{$}}
  solid<<<dim3(64, 64, 48), dim3(8, 8, 4)>>>(p, q, 512, 512, 192);
  // SOLID: grid 64 2 256 block 32 8 1 shared 0: _Z5solidPKfPfiii$mesi$0{{$}}
  solid<<<dim3(256, 64, 4), dim3(8, 1, 64)>>>(p, q, 2048, 64, 256);
  // SOLID: grid 16 16 192 block 32 8 1 shared 0: _Z5solidPKfPfiii$mesi$0{{$}}
  solid<<<dim3(63, 64, 48), dim3(8, 8, 4)>>>(p, q, 505, 512, 192);
  // SOLID: grid 63 64 48 block 8 8 4 shared 0: _Z5solidPKfPfiii{{$}}
  solid<<<dim3(63, 64, 48), dim3(8, 8, 4)>>>(p, q, 506, 512, 192);
  // More layers, and more rows, than a grid may have.
  // SOLID: grid 64 64 16384 block 8 8 4 shared 0: _Z5solidPKfPfiii{{$}}
  solid<<<dim3(64, 64, 16384), dim3(8, 8, 4)>>>(p, q, 512, 512, 65536);
  // SOLID: grid 64 64 1 block 32 8 1 shared 0: _Z5solidPKfPfiii$mesi$0{{$}}
  solid<<<dim3(256, 64), dim3(8, 32)>>>(p, q, 2048, 2048, 1);
  // SOLID: grid 4 16384 1 block 8 32 1 shared 0: _Z5solidPKfPfiii{{$}}
  solid<<<dim3(4, 16384), dim3(8, 32)>>>(p, q, 32, 524288, 1);
  // LAYERS: grid 16 16 48 block 32 8 1 shared 0: _Z6layersPKfPfiii$mesi$0{{$}}
  layers<<<dim3(64, 64, 48), dim3(8, 8)>>>(p, q, 512, 512, 48);
  // LAYERS: grid 64 64 48 block 8 8 2 shared 0: _Z6layersPKfPfiii{{$}}
  layers<<<dim3(64, 64, 48), dim3(8, 8, 2)>>>(p, q, 512, 512, 96);
  // What no chip takes fails as it did: too many threads or layers in a block, or rows in the grid.
  // CHECK: grid 256 256 1 block 8 256 1 shared 0: _Z7productPKfS0_Pfiii{{$}}
  product<<<dim3(256, 256), dim3(8, 256)>>>(p, q, p, 2048, 2048, 2048);
  // CHECK: grid 64 8 1 block 32 64 1 shared 0: _Z7productPKfS0_Pfiii{{$}}
  product<<<dim3(64, 8), dim3(32, 64)>>>(p, q, p, 2048, 512, 2048);
  // CHECK: grid 256 65536 1 block 8 4 1 shared 0: _Z7productPKfS0_Pfiii{{$}}
  product<<<dim3(256, 65536), dim3(8, 4)>>>(p, q, p, 2048, 2048, 2048);
  // SOLID: grid 128 128 8 block 2 2 128 shared 0: _Z5solidPKfPfiii{{$}}
  solid<<<dim3(128, 128, 8), dim3(2, 2, 128)>>>(p, q, 256, 256, 1024);
  layer<<<dim3(64, 64, 48), dim3(8, 8, 4)>>>(p, q, 512, 512, 192);
}
