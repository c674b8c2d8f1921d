// Loops unrolled by hand whose iterations branch are rolled up: what is chosen is told by the conditions on the ways
// there. Numbers may be wider in the rest's loop, parameters passed by value are read in both loops.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN

// REMARK: sparse: loops that were unrolled by hand, 2 times, are rolled up
// PLAN-LABEL: plan of sparse$mesi$copy
// PLAN: serves access0
struct Rows {
  const float *data;
  int n;
};
extern "C" __global__ void sparse(Rows a, Rows b, float *c, int m, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= b.n)
    return;
  float s = 0;
  int i = 0;
  for (; i + 2 <= k; i += 2) {
    if (a.data[row * k + i] > 0)
      s += a.data[row * k + i] * b.data[i * b.n + col];
    if (a.data[row * k + i + 1] > 0)
      s += a.data[row * k + i + 1] * b.data[(i + 1) * b.n + col];
  }
  for (; i < k; i++)
    if (a.data[row * k + i] > 0)
      s += a.data[row * k + i] * b.data[i * b.n + col];
  c[row * b.n + col] = s;
}
// Two conditions, one behind the other.
// REMARK: both: loops that were unrolled by hand, 2 times, are rolled up
extern "C" __global__ void both(const int *a, const int *b, const int *d, int *c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  int s = 0, i = 0;
#define ITERATION(I)                                                                                                                                 \
  if (a[row * k + (I)] > 0) {                                                                                                                        \
    if (b[(I)*n + col] > 3 || d[(I)*n + col] > 5)                                                                                                    \
      s += a[row * k + (I)] * d[(I)*n + col + 1];                                                                                                    \
    else                                                                                                                                             \
      s ^= b[(I)*n + col + 1];                                                                                                                       \
  }
  for (; i + 2 <= k; i += 2) {
    ITERATION(i)
    ITERATION(i + 1)
  }
  for (; i < k; i++) {
    ITERATION(i)
  }
  c[row * n + col] = s;
}
// An int counts up to a size_t.
// REMARK: wide: loops that were unrolled by hand, 2 times, are rolled up
// PLAN-LABEL: plan of wide$mesi$copy
// PLAN: region0: {{.*}} loop0 in strips of
extern "C" __global__ void wide(const float *a, const float *b, float *c, size_t m, size_t n, size_t k) {
  size_t col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float s = 0;
  int i = 0;
  for (; i + 2 <= k; i += 2) {
    s += a[row * k + i] * b[i * n + col];
    s += a[row * k + i + 1] * b[(i + 1) * n + col];
  }
  for (; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}

int main() {
  float *p = 0;
  // CHECK: wide$mesi${{[0-9]}}
  wide<<<dim3(32, 32), dim3(16, 16)>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 512);
  // CHECK: wide{{$}}
  wide<<<dim3(32, 32), dim3(16, 16)>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 0x7fffffff);
  // CHECK: wide{{$}}
  wide<<<dim3(32, 32), dim3(16, 16)>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 0x100000200);
}
