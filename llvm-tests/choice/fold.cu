// Flattened ids are taken apart: versions of a copy of the kernel get a launch of two or three dimensions, which the host works out.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// Other blocks are none of theirs, and a launch that cannot be folded runs the kernel.
// RUN: env MESI_CHOICE=pin:early=1 %t.exe | %FileCheck %s -check-prefix=PIN
// Images that differ in how ids are taken apart: the host does not know which runs.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -DAPART -c %s -o %t.apart.o && %clang %t.apart.o %t.runtime.o -o %t.apart.exe && env MESI_CHOICE=prior %t.apart.exe | %FileCheck %s -check-prefix=APART
// The launch as a function of the host, and the copy's versions.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
extern "C" int printf(const char *, ...);

// REMARK: early: its flattened ids are taken apart: rows of {{.*}} of them
// PLAN-LABEL: plan of early
// PLAN: array0 {{.*}} not staged: NotAffine
// PLAN: folded: rows of n, m*n of them
// PLAN-LABEL: plan of early$mesi$copy
// PLAN: region0: {{.*}} loop0 in strips of 16
// GATE-LABEL: define zeroext i1 @"early$mesi$0$fold$gate"
// GATE: urem i64
// GATE: store i32
// GATE: ret i1
#if defined(APART) && __CUDA_ARCH__ == 800
#define LONGER 2 *
#else
#define LONGER
#endif
extern "C" __global__ void early(const float *a, const float *b, float *c, int m, int n, int k) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= LONGER m * n)
    return;
  int row = id / n, col = id % n;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[id] = s;
}
// A batch: the rest of a division is divided again.
// REMARK: batch: its flattened ids are taken apart: rows of {{.*}}, planes of {{.*}} rows, {{.*}} of them
// PLAN-LABEL: plan of batch
// PLAN: folded: rows of m, planes of size/(m) rows, all of them
extern "C" __global__ void batch(const float *a, const float *b, float *c, unsigned m, unsigned size, unsigned all) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= all)
    return;
  unsigned matrix = id / size, cell = id % size, row = cell / m, col = cell % m;
  float s = 0;
  for (unsigned i = 0; i < m; i++)
    s += a[matrix * size + row * m + i] * b[matrix * size + i * m + col];
  c[id] = s;
}
// A limit of its rows, 64 bits.
// REMARK: rows: its flattened ids are taken apart
// PLAN-LABEL: plan of rows
// PLAN: folded: rows of n, m*n of them
extern "C" __global__ void rows(const double *a, const double *b, double *c, size_t m, size_t n, size_t k) {
  size_t id = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = id / n, col = id % n;
  if (row < m) {
    double s = 0;
    for (size_t i = 0; i < k; i++)
      s += a[row * k + i] * b[i * n + col];
    c[row * n + col] = s;
  }
}
// Without a limit as many as are launched; a row of a power of two is shifts and masks.
// REMARK: exact: its flattened ids are taken apart: rows of 256, as many as are launched
extern "C" __global__ void exact(const float *a, const float *b, float *c) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned row = id / 256, col = id % 256;
  float s = 0;
  for (unsigned i = 0; i < 256; i++)
    s += a[row * 256 + i] * b[i * 256 + col];
  c[id] = s;
}

// What the planes are taken apart into is worked out from the layer's number; a size that is divided by how many there are, at the entry.
// REMARK: heads: its flattened ids are taken apart: rows of {{.*}}, planes of {{.*}} rows, {{.*}} of them
// PLAN-LABEL: plan of heads
// PLAN: folded: rows of n, planes of n rows, batch*n*n*count of them
// PLAN-LABEL: plan of heads$mesi$copy
// PLAN: region0: {{.*}} loop0 in strips of 16
// CODE-LABEL: define {{.*}} @"heads$mesi$0"
// CODE: [[LAYER:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
// CODE-DAG: call i32 @llvm.smax.i32(i32 %count, i32 1)
// CODE-DAG: urem i32 [[LAYER]],
// CODE-DAG: udiv i32 [[LAYER]],
extern "C" __global__ void heads(const float *a, const float *b, float *c, int batch, int n, int count, int all) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= batch * count * n * n)
    return;
  int col = id % n, row = id / n % n, head = id / (n * n) % count, which = id / (count * n * n);
  int size = all / count;
  float s = 0;
  for (int i = 0; i < size; i++)
    s += a[(which * n + row) * all + head * size + i] * b[(which * n + col) * all + head * size + i];
  c[id] = s;
}

int main() {
  float *p = 0;
  // CHECK: grid 64 128 1 block 32 8 1 shared 0: early$mesi${{[0-9]}}
  // PIN: grid 64 128 1 block 32 8 1 shared 0: early$mesi$0
  // APART: grid 8192 1 1 block 256 1 1 shared 0: early{{$}}
  early<<<8192, 256>>>(p, p + (1 << 20), p + (2 << 20), 1024, 2048, 512);
  // Short rows have blocks of their own.
  // PIN: grid 1 32 1 block 16 16 1 shared 0: early$mesi$0
  early<<<1024, 256>>>(p, p + (1 << 20), p + (2 << 20), 512, 16, 512);
  // PIN: grid 2 16 1 block 8 32 1 shared 0: early$mesi$0
  early<<<1024, 256>>>(p, p + (1 << 20), p + (2 << 20), 512, 9, 512);
  // More threads than are of use are none the less.
  // PIN: grid 16 64 1 block 32 8 1 shared 0: early$mesi$0
  early<<<9999, 128>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 512);
  // Fewer, rows that are too short, no rows, products that wrap, blocks of two dimensions, dynamic shared memory.
  // PIN: grid 1023 1 1 block 256 1 1 shared 0: early{{$}}
  early<<<1023, 256>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 512);
  // PIN: grid 1024 1 1 block 256 1 1 shared 0: early{{$}}
  early<<<1024, 256>>>(p, p + (1 << 20), p + (2 << 20), 512, 7, 512);
  // PIN: grid 1024 1 1 block 256 1 1 shared 0: early{{$}}
  early<<<1024, 256>>>(p, p + (1 << 20), p + (2 << 20), 0, 512, 512);
  // PIN: grid 1024 1 1 block 256 1 1 shared 0: early{{$}}
  early<<<1024, 256>>>(p, p + (1 << 20), p + (2 << 20), 1 << 16, 1 << 16, 512);
  // PIN: grid 1024 1 1 block 256 1 1 shared 0: early{{$}}
  early<<<1024, 256>>>(p, p + (1 << 20), p + (2 << 20), 512, -512, 512);
  // PIN: grid 1024 1 1 block 16 16 1 shared 0: early{{$}}
  early<<<1024, dim3(16, 16)>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 512);
  // PIN: grid 1024 2 1 block 256 1 1 shared 0: early{{$}}
  early<<<dim3(1024, 2), 256>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 512);
  // PIN: grid 1024 1 1 block 256 1 1 shared 64: early{{$}}
  early<<<1024, 256, 64>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 512);
  // CHECK: grid 4 8 12 block 32 8 1 shared 0: batch$mesi${{[0-9]}}
  batch<<<3072, 256>>>(p, p + (1 << 22), p + (2 << 22), 256, 1 << 16, 12 << 16);
  // The matrix must hold whole rows, and all must be whole matrices.
  // CHECK: grid 3072 1 1 block 256 1 1 shared 0: batch{{$}}
  batch<<<3072, 256>>>(p, p + (1 << 22), p + (2 << 22), 250, 1 << 16, 12 << 16);
  // CHECK: grid 3072 1 1 block 256 1 1 shared 0: batch{{$}}
  batch<<<3072, 256>>>(p, p + (1 << 22), p + (2 << 22), 256, 1 << 16, (12 << 16) - 1);
  double *d = 0;
  // CHECK: grid 32 128 1 block 32 8 1 shared 0: rows$mesi${{[0-9]}}
  rows<<<4096, 256>>>(d, d + (1 << 22), d + (2 << 22), 1024, 1024, 1024);
  // CHECK: grid 4096 1 1 block 256 1 1 shared 0: rows{{$}}
  rows<<<4096, 256>>>(d, d + (1 << 22), d + (2 << 22), 1025, 1024, 1024);
  // CHECK: grid 8 4096 1 block 32 8 1 shared 0: exact$mesi${{[0-9]}}
  exact<<<32768, 256>>>(p, p + (1 << 24), p + (2 << 24));
  // Rows that no block's eight hold.
  // CHECK: grid 1023 1 1 block 256 1 1 shared 0: exact{{$}}
  exact<<<1023, 256>>>(p, p + (1 << 20), p + (2 << 20));
  // CHECK: grid 16 32 24 block 32 8 1 shared 0: heads$mesi${{[0-9]}}
  heads<<<24576, 256>>>(p, p + (1 << 24), p + (2 << 24), 2, 512, 12, 768);
  // No heads.
  // CHECK: grid 24576 1 1 block 256 1 1 shared 0: heads{{$}}
  heads<<<24576, 256>>>(p, p + (1 << 24), p + (2 << 24), 2, 512, 0, 768);
}
