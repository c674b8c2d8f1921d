// Axes are exchanged where threads of a warp would touch elements far apart: versions of a copy of the kernel get a launch of other axes, which the host works out.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:rows=1 %t.exe | %FileCheck %s -check-prefix=ROWS
// RUN: env MESI_CHOICE=pin:volume=1 %t.exe | %FileCheck %s -check-prefix=VOLUME
// RUN: env MESI_CHOICE=pin:flat=1 %t.exe | %FileCheck %s -check-prefix=FLAT
// RUN: env MESI_CHOICE=pin:blocks=1 %t.exe | %FileCheck %s -check-prefix=BLOCKS
// RUN: env MESI_CHOICE=pin:linear=1 %t.exe | %FileCheck %s -check-prefix=LINEAR
// RUN: env MESI_CHOICE=pin:whole=1 %t.exe | %FileCheck %s -check-prefix=WHOLE
// The launch as a function of the host, and the copy's versions.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
extern "C" int printf(const char *, ...);

// REMARK: rows: its axes are exchanged: threads of a warp follow one another along y, rows along x, layers along z
// PLAN-LABEL: plan of rows
// PLAN: permuted: threads of a warp follow one another along y, rows along x, layers along z
// PLAN-LABEL: plan of rows$mesi$copy
// PLAN: array0 {{.*}} not staged
// GATE-LABEL: define zeroext i1 @"rows$mesi$0$fold$gate"
// GATE: urem i64
// GATE: store i32
// GATE: ret i1
// The kernel is what it was; in the copy what lies along x is the column.
// CODE-LABEL: define {{.*}} @rows(
// CODE: [[T:%.*]] = {{.*}}call{{.*}}sreg.tid.x()
// CODE-NEXT: %add = add {{.*}}[[T]]
// CODE-LABEL: define {{.*}} @"rows$mesi$0"(
// CODE: [[T:%.*]] = {{.*}}call{{.*}}sreg.tid.y()
// CODE-NEXT: %add = add {{.*}}[[T]]
extern "C" __global__ void rows(const float *a, float *b, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n)
    b[row * n + col] = 2 * a[row * n + col];
}
// Three dimensions; where nothing is nearer than another, what is nearer as a whole comes first. A guard of its own for each.
// REMARK: volume: its axes are exchanged: threads of a warp follow one another along z, rows along y, layers along x
extern "C" __global__ void volume(const float *a, float *b, unsigned p, unsigned m, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= p)
    return;
  if (y >= m)
    return;
  if (z >= n)
    return;
  b[(x * m + y) * n + z] = 2 * a[(x * m + y) * n + z];
}
// Folded first.
// REMARK: flat: its flattened ids are taken apart: rows of {{.*}} of them
// REMARK: flat: its axes are exchanged: threads of a warp follow one another along y, rows along x, layers along z
extern "C" __global__ void flat(const float *a, float *b, int m, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= m * n)
    return;
  int row = id % m, col = id / m;
  b[row * n + col] = 2 * a[row * n + col];
}
// Folded into three dimensions, of which the last is the block's number alone.
// REMARK: layers: its flattened ids are taken apart: rows of {{.*}}, planes of {{.*}} rows, {{.*}} of them
// REMARK: layers: its axes are exchanged: threads of a warp follow one another along z, rows along y, layers along x
extern "C" __global__ void layers(const float *a, float *b, int p, int m, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= p * m * n)
    return;
  int x = id % p, y = id / p % m, z = id / (p * m);
  b[(x * m + y) * n + z] = 2 * a[(x * m + y) * n + z];
}
// Without a guard blocks hold the program's threads exactly.
// REMARK: whole: its axes are exchanged
extern "C" __global__ void whole(const float *a, float *b, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  b[row * n + col] = 2 * a[row * n + col];
}
// A block's number is the id where blocks have one thread along its dimension: in the copy it is made of both.
// REMARK: blocks: its axes are exchanged: threads of a warp follow one another along y, rows along x, layers along z
// CODE-LABEL: define {{.*}} @"blocks$mesi$0"(
// CODE: call{{.*}}sreg.ctaid.y()
// CODE: call{{.*}}sreg.ntid.y()
// CODE: call{{.*}}sreg.tid.y()
extern "C" __global__ void blocks(const float *a, float *b, int m, int n) {
  int row = blockIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n)
    b[row * n + col] = 2 * a[row * n + col];
}
// Blocks of one row load what those of other rows load: several rows are one block's, and arrays are staged.
// REMARK: linear: its product is worked out in blocks of another shape
// REMARK: linear: its blocks of one row become blocks of several: threads of a warp follow one another along x, rows along y, layers along z
extern "C" __global__ void linear(const float *a, const float *w, float *b, int m, int n, int k) {
  int row = blockIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * w[i * n + col];
  b[row * n + col] = s;
}
// What is read in a whole loop counts more than what is stored once.
// REMARK-NOT: stays: its axes
extern "C" __global__ void stays(const float *a, float *b, int m, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  float s = 0;
  for (int i = 0; i < m; i++)
    s += a[i * n + x] * a[i * n + y];
  b[x * n + y] = s;
}

int main() {
  float *p = 0, *q = p + (1 << 24);
  const dim3 square(16, 16);
  // ROWS: grid 32 64 1 block 32 8 1 shared 0: rows$mesi$0
  rows<<<dim3(32, 64), square>>>(p, q, 512, 1024);
  // More threads than are of use are none the less, and there may be some more.
  // ROWS: grid 33 62 1 block 32 8 1 shared 0: rows$mesi$0
  rows<<<dim3(31, 65), square>>>(p, q, 490, 1033);
  // Those that were not launched may be of use: shorter rows.
  // ROWS: grid 65 31 1 block 16 16 1 shared 0: rows$mesi$0
  rows<<<dim3(31, 65), square>>>(p, q, 4900, 10330);
  // ROWS: grid 31 65 1 block 7 5 1 shared 0: rows{{$}}
  rows<<<dim3(31, 65), dim3(7, 5)>>>(p, q, 490, 1033);
  // A row that is too short, a column that a grid has no room for, dynamic shared memory, a launch that is none.
  // ROWS: grid 64 1 1 block 16 4 1 shared 0: rows{{$}}
  rows<<<dim3(64, 1), dim3(16, 4)>>>(p, q, 1024, 4);
  // ROWS: grid 1 65535 1 block 16 16 1 shared 0: rows$mesi$0
  rows<<<dim3(65535, 1), square>>>(p, q, 1 << 20, 16);
  // ROWS: grid 65536 1 1 block 16 16 1 shared 0: rows{{$}}
  rows<<<dim3(65536, 1), square>>>(p, q, 1 << 20, 16);
  // ROWS: grid 32 64 1 block 16 16 1 shared 64: rows{{$}}
  rows<<<dim3(32, 64), square, 64>>>(p, q, 512, 1024);
  // ROWS: grid 0 64 1 block 16 16 1 shared 0: rows{{$}}
  rows<<<dim3(0, 64), square>>>(p, q, 512, 1024);
  // VOLUME: grid 8 16 64 block 32 8 1 shared 0: volume$mesi$0
  volume<<<dim3(8, 16, 64), dim3(8, 8, 4)>>>(p, q, 64, 128, 256);
  // FLAT: grid 16 64 1 block 32 8 1 shared 0: flat$mesi$0
  flat<<<1024, 256>>>(p, q, 512, 512);
  // FLAT: grid 1024 1 1 block 256 1 1 shared 0: flat{{$}}
  flat<<<1024, 256>>>(p, q, 7, 512);
  // BLOCKS: grid 40 62 1 block 32 8 1 shared 0: blocks$mesi$0
  blocks<<<dim3(490, 5), dim3(1, 256)>>>(p, q, 490, 1033);
  // Two threads have the same row.
  // BLOCKS: grid 490 5 1 block 2 256 1 shared 0: blocks{{$}}
  blocks<<<dim3(490, 5), dim3(2, 256)>>>(p, q, 490, 1033);
  // LINEAR: grid {{[0-9 ]+}} block {{[0-9 ]+}} shared {{[0-9]+}}: linear$mesi$0
  linear<<<dim3(16, 4096), 256>>>(p, q, q + (1 << 24), 4096, 4096, 4096);
  // LINEAR: grid 16 4096 1 block 256 2 1 shared 0: linear{{$}}
  linear<<<dim3(16, 4096), dim3(256, 2)>>>(p, q, q + (1 << 24), 4096, 4096, 4096);
  // WHOLE: grid 32 64 1 block 32 8 1 shared 0: whole$mesi$0
  whole<<<dim3(32, 64), square>>>(p, q, 1024);
  // WHOLE: grid 15 31 1 block 16 1 1 shared 0: whole$mesi$0
  whole<<<dim3(31, 30), dim3(1, 8)>>>(p, q, 1024);
}
