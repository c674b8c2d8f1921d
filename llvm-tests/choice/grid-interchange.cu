// Blocks that are numbered along another axis than their threads lie along theirs in a copy, which the host launches with the grid's axes exchanged.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:image=1 %t.exe | %FileCheck %s -check-prefix=IMAGE
// RUN: env MESI_CHOICE=pin:layer=1 %t.exe | %FileCheck %s -check-prefix=LAYER
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
extern "C" int printf(const char *, ...);

// REMARK: image: its grid is interchanged: blocks along x lie along y, those along y along x
// PLAN-LABEL: plan of image
// PLAN: grid interchanged: blocks along x lie along y
// CODE-LABEL: define {{.*}} @"image$mesi$2"(
// CODE: %[[X:[0-9]+]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CODE: %[[COLUMNS:[0-9]+]] = {{.*}}sreg.ntid.x()
// CODE: mul {{.*}}i32 %[[X]], %[[COLUMNS]]
// CODE: %[[Y:[0-9]+]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
// CODE: %[[ROWS:[0-9]+]] = {{.*}}sreg.ntid.y()
// CODE: mul {{.*}}i32 %[[Y]], %[[ROWS]]
extern "C" __global__ void image(const float *a, float *b, int w, int h) {
  int x = blockIdx.y * blockDim.x + threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  int i = (blockIdx.z * h + y) * w + x;
  b[i] = a[i - 1] + a[i + 1] + a[i - w] + a[i + w];
}
// Its rows are blocks' numbers: in the copy blocks have several of them.
// REMARK: layer: its grid is interchanged
// REMARK: layer: its blocks of one row become blocks of several
extern "C" __global__ void layer(const float *x, const float *w, float *y, int n, int k) {
  int row = blockIdx.x, col = threadIdx.x + blockDim.x * blockIdx.y;
  if (col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += x[row * k + i] * w[i * n + col];
  y[row * n + col] = s;
}

int main() {
  float *p = 0, *q = p + (1 << 26), *r = q + (1 << 26);
  // IMAGE: grid 96 384 2 block 32 8 1 shared 0: image$mesi$0
  image<<<dim3(384, 96, 2), dim3(32, 8)>>>(p, q, 3072, 3072);
  // A grid has up to 65,535 blocks along y.
  // IMAGE: grid 65536 2 1 block 32 8 1 shared 0: image{{$}}
  image<<<dim3(65536, 2), dim3(32, 8)>>>(p, q, 64, 64);
  // LAYER: grid {{[0-9]+ [0-9]+ 1}} block {{[0-9]+ [0-9]+ 1}} shared {{[0-9]+}}: layer$mesi$0
  layer<<<dim3(4096, 24), 128>>>(p, q, r, 3072, 1024);
  // Blocks of two rows do theirs twice.
  // LAYER: grid 4096 24 1 block 128 2 1 shared 0: layer{{$}}
  layer<<<dim3(4096, 24), dim3(128, 2)>>>(p, q, r, 3072, 1024);
}
