// Loops that were unrolled by hand are rolled up in a copy of the kernel, and that copy's versions are the kernel's.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN

// REMARK: product: loops that were unrolled by hand, 4 times, are rolled up
// PLAN-LABEL: plan of product
// PLAN: array0 {{.*}} not staged: NotAffine
// PLAN: rerolled: loops that were unrolled by hand, 4 times, are rolled up
// PLAN-LABEL: plan of product$mesi$copy
// PLAN: region0: {{.*}} loop0 in strips of 16
extern "C" __global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float s = 0;
  int i = 0;
  for (; i + 4 <= k; i += 4) {
    s += a[row * k + i] * b[i * n + col];
    s += a[row * k + i + 1] * b[(i + 1) * n + col];
    s += a[row * k + i + 2] * b[(i + 2) * n + col];
    s += a[row * k + i + 3] * b[(i + 3) * n + col];
  }
  for (; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}
// Ids are taken apart in the same copy.
// REMARK: flat: its flattened ids are taken apart
// REMARK: flat: loops that were unrolled by hand, 2 times, are rolled up
extern "C" __global__ void flat(const int *a, const int *b, int *c, int m, int n, int k) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= m * n)
    return;
  int row = id / n, col = id % n, s = 0, i = 0;
  for (; i < k - 1; i += 2) {
    s += a[row * k + i] * b[i * n + col];
    s += a[row * k + i + 1] * b[(i + 1) * n + col];
  }
  for (; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[id] = s;
}
// Unsigned numbers may wrap: the limit must leave room.
// REMARK: rows: loops that were unrolled by hand, 8 times, are rolled up
extern "C" __global__ void rows(const double *a, double *sums, unsigned m, unsigned n) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  double s = 0;
  unsigned i = 0;
  for (; i + 8 <= n; i += 8)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s += a[row * n + i + j];
  for (; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}

int main() {
  float *p = 0;
  // CHECK: grid 32 16 1 block 16 16 1 shared 0: product$mesi${{[0-9]}}
  product<<<dim3(32, 32), dim3(16, 16)>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 512);
  // CHECK: grid 32 32 1 block 16 16 1 shared 0: product{{$}}
  product<<<dim3(32, 32), dim3(16, 16)>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 0x7fffffff);
  int *i = 0;
  // CHECK: grid 32 64 1 block 32 8 1 shared 0: flat$mesi${{[0-9]}}
  flat<<<2048, 256>>>(i, i + (1 << 20), i + (2 << 20), 512, 1024, 512);
  double *d = 0;
  // CHECK: rows$mesi$0
  rows<<<128, 256>>>(d, d + (1 << 27), 1 << 15, 1 << 12);
  // CHECK: rows{{$}}
  rows<<<128, 256>>>(d, d + (1 << 27), 1 << 15, 0xfffffff0);
  // CHECK: rows{{$}}
  rows<<<128, 256>>>(d, d + (1 << 27), 1 << 15, 0x7fffffff);
}
