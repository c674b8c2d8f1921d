// Neighbouring layers of the grid that load the same in their loops: a thread does several of them, and several rows.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.o
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:maps=1 %t.exe | %FileCheck %s -check-prefix=PIN

// Rows that follow one another share theirs: 6 of each window's column, not 12. What hangs on the layer alone is loaded once for all rows.
// CHECK-LABEL: plan of maps
// CHECK-NEXT: merge 1x4x4 blocks, consecutive along y
// CHECK-NEXT: nothing staged: 72 loads of all replicas, 54 addresses
// CHECK: guards: {{.*}}, at edges alone
// CHECK: version 1
// CHECK-NEXT: merge 1x2x4 blocks, consecutive along y
// CHECK: version 2
// CHECK-NEXT: merge 1x1x4 blocks
// CODE-LABEL: define {{.*}} @"maps$mesi$0"
// CODE: mesi.fast:
// CODE-COUNT-54: load float
// CODE: ret void
extern "C" __global__ void maps(const float *__restrict__ in, const float *__restrict__ w, float *__restrict__ out, int c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, map = blockIdx.z;
  if (x >= n - 2 || y >= n - 2)
    return;
  float s = 0;
  for (int k = 0; k < c; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        s += in[(k * n + y + i) * n + x + j] * w[(map * c + k) * 9 + i * 3 + j];
  out[(map * (n - 2) + y) * (n - 2) + x] = s;
}
// Without rows.
// CHECK-LABEL: plan of flat
// CHECK-NEXT: merge 1x8x1 blocks
// CHECK: version 1
// CHECK-NEXT: merge 1x4x1 blocks
extern "C" __global__ void flat(const float *__restrict__ in, const float *__restrict__ w, float *__restrict__ out, int c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, map = blockIdx.y;
  if (x >= n - 2)
    return;
  float s = 0;
  for (int k = 0; k < c; k++)
    for (int j = 0; j < 3; j++)
      s += in[k * n + x + j] * w[(map * c + k) * 3 + j];
  out[map * (n - 2) + x] = s;
}

// All that loops load is the layer's own.
// CHECK-LABEL: plan of no_shared
// CHECK-NOT: merge
// CHECK-LABEL: plan of no_place
extern "C" __global__ void no_shared(const float *__restrict__ in, float *__restrict__ out, int c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, map = blockIdx.z;
  if (x >= n || y >= n)
    return;
  float s = 0;
  for (int k = 0; k < c; k++)
    s += in[((map * c + k) * n + y) * n + x] * s;
  out[(map * n + y) * n + x] = s;
}
// Layers store to one place: which comes last nobody knows, but one of them has to be.
// CHECK-NOT: merge 1x4x4
// CHECK-LABEL: plan of no_steps
extern "C" __global__ void no_place(const float *__restrict__ in, const float *__restrict__ w, float *__restrict__ out, int c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, map = blockIdx.z;
  if (x >= n || y >= n)
    return;
  float s = 0;
  for (int k = 0; k < c; k++)
    s += in[(k * n + y) * n + x] * w[map * c + k];
  out[y * n + x] = s;
}
// How long a loop runs hangs on the layer: it would run layer by layer.
// CHECK-NOT: merge
// CHECK-LABEL: plan of no_lengths
extern "C" __global__ void no_steps(const float *__restrict__ in, const int *__restrict__ lengths, float *__restrict__ out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, map = blockIdx.z;
  if (x >= n || y >= n)
    return;
  float s = 0;
  for (int k = 0; k < lengths[map]; k++)
    s += in[(k * n + y) * n + x];
  out[(map * n + y) * n + x] = s;
}

// CHECK-NOT: merge
extern "C" __global__ void no_lengths(const float *__restrict__ in, float *__restrict__ out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, map = blockIdx.z;
  if (x >= n || y >= n)
    return;
  float s = 0;
  for (int k = 0; k <= map; k++)
    s += in[(k * n + y) * n + x];
  out[(map * n + y) * n + x] = s;
}

int main() {
  float *p = (float *)0x10000000, *q = p + (1l << 30), *r = q + (1l << 30);
  // The last group may have layers that the grid has not, so all blocks are launched.
  // PIN: grid 7 7 64 block 16 16 1 shared 0: maps$mesi$0
  maps<<<dim3(7, 7, 64), dim3(16, 16)>>>(p, q, r, 64, 114);
}
