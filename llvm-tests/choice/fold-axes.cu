// Of a flattened id's dimensions those lie along x and y along which elements that are read and written are neighbours; all others are layers.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:scatter=1 %t.exe | %FileCheck %s -check-prefix=SCATTER
// RUN: env MESI_CHOICE=pin:gather=1 %t.exe | %FileCheck %s -check-prefix=GATHER
// RUN: env MESI_CHOICE=pin:images=1 %t.exe | %FileCheck %s -check-prefix=IMAGES
// RUN: env MESI_CHOICE=pin:heads=1 %t.exe | %FileCheck %s -check-prefix=HEADS
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
extern "C" int printf(const char *, ...);

#define FOUR const float *in, float *out, int a, int b, int c, int d

// Reversed: the innermost of both sides, in a tile that is written back.
// REMARK: scatter: its flattened ids are taken apart: dimensions of {{.*}} of them: along x the 1., along y the 4.
// PLAN-LABEL: plan of scatter$mesi$copy
// PLAN: merge 1x4x1 blocks
// PLAN: array1 out
// PLAN: dim stride {{.*}}: tid.x
// PLAN: dim stride 4: tid.y
// PLAN: writes back
// The layers are taken apart: j * c + k. Of four merged blocks that which leads is launched, with as many threads as all
// have, and rows of the tile are written as rows.
// CODE-LABEL: define {{.*}} @"scatter$mesi$0"
// CODE-NOT: sreg.ntid
// CODE-NOT: sreg.nctaid
// CODE: [[LAYER:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
// CODE-DAG: urem i32 [[LAYER]],
// CODE-DAG: udiv i32 [[LAYER]],
extern "C" __global__ void scatter(FOUR) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= a * b * c * d)
    return;
  int l = t % d, k = t / d % c, j = t / (d * c) % b, i = t / (d * c * b);
  out[((l * c + k) * b + j) * a + i] = in[t];
}
// The same from where elements go: what is read lies along x.
// REMARK: gather: its flattened ids are taken apart: dimensions of {{.*}} of them: along x the 4., along y the 1.
// PLAN-LABEL: plan of gather$mesi$copy
// PLAN: merge 1x4x1 blocks
// PLAN: writes back
extern "C" __global__ void gather(FOUR) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= a * b * c * d)
    return;
  int i = t % a, j = t / a % b, k = t / (a * b) % c, l = t / (a * b * c);
  out[t] = in[((i * b + j) * c + k) * d + l];
}
// In an order that neither side has, of 64 bits, step by step.
// REMARK: worst: its flattened ids are taken apart: dimensions of {{.*}} of them: along x the 3., along y the 2.
// PLAN-LABEL: plan of worst$mesi$copy
// PLAN: merge 1x4x1 blocks
// PLAN: writes back
extern "C" __global__ void worst(const float *in, float *out, size_t a, size_t b, size_t c, size_t d) {
  size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (t >= a * b * c * d)
    return;
  size_t j = t % b;
  t /= b;
  size_t i = t % a;
  t /= a;
  size_t l = t % d, k = t / d;
  out[((l * c + k) * b + j) * a + i] = in[((i * b + j) * c + k) * d + l];
}
// Both keep their rows, which lie along x; what is nearest besides along y.
// REMARK: heads: its flattened ids are taken apart: dimensions of {{.*}} of them: along x the 3., along y the 4.
extern "C" __global__ void heads(const float *in, float *out, int batch, int times, int count, int size) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= batch * times * count * size)
    return;
  int b = t % batch, s = t / batch % times, d = t / (batch * times) % size, h = t / (batch * times * size);
  out[((b * count + h) * times + s) * size + d] = in[((b * times + s) * count + h) * size + d];
}
// An image for each layer of the grid: its number is what is left of the copy's.
// REMARK: images: its flattened ids are taken apart: dimensions of {{.*}} of them, for each blockIdx.z: along x the 1., along y the 3.
// PLAN-LABEL: plan of images$mesi$copy
// PLAN: merge 1x4x1 blocks
// PLAN: writes back
extern "C" __global__ void images(const float *in, float *out, int channels, int height, int width) {
  int id = blockIdx.x * blockDim.x + threadIdx.x, size = channels * height * width;
  if (id >= size)
    return;
  int x = id % width, y = id / width % height, c = id / (width * height);
  out[blockIdx.z * size + (y * width + x) * channels + c] = in[blockIdx.z * size + id];
}
// Three dimensions, of which the middle one is the layers.
// REMARK: three: its flattened ids are taken apart: dimensions of {{.*}} of them: along x the 1., along y the 3.
extern "C" __global__ void three(const float *in, float *out, int a, int b, int c) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= a * b * c)
    return;
  int k = t % c, j = t / c % b, i = t / (c * b);
  out[(k * b + j) * a + i] = in[t];
}

int main() {
  float *p = 0, *q = p + (1 << 26);
  // SCATTER: grid 7 3 960 block 32 8 1 shared 0: scatter$mesi$0
  scatter<<<72000, 256>>>(p, q, 96, 12, 80, 200);
  // Rows that are too short, ids that are not there, layers that a grid has no room for, none.
  // SCATTER: grid 72000 1 1 block 256 1 1 shared 0: scatter{{$}}
  scatter<<<72000, 256>>>(p, q, 96, 12, 80, 7);
  // SCATTER: grid 71999 1 1 block 256 1 1 shared 0: scatter{{$}}
  scatter<<<71999, 256>>>(p, q, 96, 12, 80, 200);
  // SCATTER: grid 72000 1 1 block 256 1 1 shared 0: scatter{{$}}
  scatter<<<72000, 256>>>(p, q, 8, 256, 257, 32);
  // SCATTER: grid 72000 1 1 block 256 1 1 shared 0: scatter{{$}}
  scatter<<<72000, 256>>>(p, q, 96, 0, 80, 200);
  // GATHER: grid 7 3 960 block 32 8 1 shared 0: gather$mesi$0
  gather<<<72000, 256>>>(p, q, 96, 12, 80, 200);
  // Short rows of what is read, few of what is written.
  // GATHER: grid 1 12 1000 block 32 8 1 shared 0: gather$mesi$0
  gather<<<72000, 256>>>(p, q, 384, 10, 100, 9);
  // GATHER: grid 72000 1 1 block 256 1 1 shared 0: gather{{$}}
  gather<<<72000, 256>>>(p, q, 7, 12, 80, 200);
  // 90 rows, the last block's threads too few: twelve blocks of eight in three launched ones.
  // SCATTER: grid 7 3 960 block 32 8 1 shared 0: scatter$mesi$0
  scatter<<<67500, 256>>>(p, q, 90, 12, 80, 200);
  // Leaders alone.
  // IMAGES: grid 4 2 3584 block 32 8 1 shared 0: images$mesi$0
  images<<<dim3(3136, 1, 32), 256>>>(p, q, 64, 112, 112);
  // More layers than a grid has room for, blocks of several rows, ids along y.
  // IMAGES: grid 3136 1 600 block 256 1 1 shared 0: images{{$}}
  images<<<dim3(3136, 1, 600), 256>>>(p, q, 64, 112, 112);
  // IMAGES: grid 3136 1 32 block 256 2 1 shared 0: images{{$}}
  images<<<dim3(3136, 1, 32), dim3(256, 2)>>>(p, q, 64, 112, 112);
  // IMAGES: grid 3136 2 32 block 256 1 1 shared 0: images{{$}}
  images<<<dim3(3136, 2, 32), 256>>>(p, q, 64, 112, 112);
  // HEADS: grid 2 2 16384 block 32 8 1 shared 0: heads$mesi$0
  heads<<<65536, 256>>>(p, q, 8, 2048, 16, 64);
}
