// A thread's loop becomes a dimension of the grid: versions of a copy of the kernel get a thread for each iteration, in a launch that the host works out.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// Pinned, whatever the model says; a launch that cannot be one of the copy runs the kernel.
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:layers=1 %t.exe | %FileCheck %s -check-prefix=PIN
// The launch as a function of the host, the plan, and the copy without its loop.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
extern "C" int printf(const char *, ...);
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

// Four walks in one array, along rows and columns, from and to where the thread says.
// REMARK: layers: its loop is a dimension of the grid: a thread for each iteration of {{.*}} - 1 at most
// PLAN-LABEL: plan of layers
// PLAN: collapsed: a thread for each iteration of n - 1 at most
// PLAN-LABEL: plan of layers$mesi$copy
// GATE-LABEL: define zeroext i1 @"layers$mesi$0$fold$gate"
// GATE: store i32
// GATE: ret i1
// CODE-LABEL: define {{.*}} @"layers$mesi$0"
// CODE-DAG: sreg.tid.y
// CODE-DAG: sreg.tid.x
// CODE-NOT: phi
// CODE: ret void
extern "C" __global__ void layers(float *m, int n) {
  int first = ID;
  if (first >= n / 2)
    return;
  int last = n - 1 - first;
  for (int i = first; i < last; i++) {
    int back = last - i + first;
    float top = m[first * n + i];
    m[first * n + i] = m[back * n + first];
    m[back * n + first] = m[last * n + back];
    m[last * n + back] = m[i * n + last];
    m[i * n + last] = top;
  }
}
// Rows may be longer than they are filled: the host asks that. Counted down.
// PLAN-LABEL: plan of down
// PLAN: collapsed: a thread for each iteration of n at most
// GATE-LABEL: define zeroext i1 @"down$mesi$0$fold$gate"
extern "C" __global__ void down(const float *x, float *y, int m, int n, int p) {
  int i = ID;
  if (i < m)
    for (int j = n - 1; j >= 0; j--)
      y[i * p + j] = x[i * p + j] * 2;
}
// As many iterations as the thread's number says: at most one for each thread of the launch. Ids and lengths of 64 bits.
// PLAN-LABEL: plan of wide
// PLAN: collapsed: a thread for each iteration of ids at most
extern "C" __global__ void wide(float *y, size_t m) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    for (size_t j = 0; j <= i; j++)
      y[i * m + j] *= 2;
}
// A matrix product with a thread for each row: its copy has tiles, of loops inside the iteration.
// PLAN-LABEL: plan of product
// PLAN: collapsed: a thread for each iteration of n at most
// PLAN-LABEL: plan of product$mesi$copy
// PLAN: region0: {{.*}} loop0 in strips of 16
// PLAN: tile1: array1 b
extern "C" __global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  int row = ID;
  if (row < n)
    for (int col = 0; col < n; col++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
      c[row * n + col] = sum;
    }
}
// The same walks in numbers without a sign: half of one is known by the whole, which the host asks to be below 2^31. What
// lies below 0 in threads that do nothing wraps, and the host asks that all indices have 32 bits with a sign.
// PLAN-LABEL: plan of unsigned_layers
// PLAN: collapsed: a thread for each iteration of n - 1 at most
// GATE-LABEL: define zeroext i1 @"unsigned_layers$mesi$0$fold$gate"
// GATE: [[N:%.*]] = sext i32 {{.*}} to i64
// GATE: icmp sge i64 {{.*}}, 0
// GATE: icmp sle i64 {{.*}}, 2147483647
// GATE: icmp sle i64 -2147483648,
// GATE: ret i1
extern "C" __global__ void unsigned_layers(float *m, unsigned n) {
  unsigned first = ID;
  if (first >= n / 2)
    return;
  unsigned last = n - 1 - first;
  for (unsigned i = first; i < last; i++) {
    unsigned back = last - i + first;
    float top = m[first * n + i];
    m[first * n + i] = m[back * n + first];
    m[back * n + first] = m[last * n + back];
    m[last * n + back] = m[i * n + last];
    m[i * n + last] = top;
  }
}
// In 64 bits, a third of it.
// PLAN-LABEL: plan of wide_thirds
// PLAN: collapsed: a thread for each iteration of n - 1 at most
// GATE-LABEL: define zeroext i1 @"wide_thirds$mesi$0$fold$gate"
extern "C" __global__ void wide_thirds(float *m, size_t n) {
  size_t first = ID;
  if (first < n / 3)
    for (size_t i = first; i < n - 1 - first; i++) {
      float top = m[first * n + i];
      m[first * n + i] = m[(n - 1 - first) * n + i];
      m[(n - 1 - first) * n + i] = top;
    }
}

int main() {
  float *p = 0;
  // PIN: grid 128 256 1 block 32 8 1 shared 0: layers$mesi$0
  layers<<<8, 256>>>(p, 4096);
  // Fewer iterations: shorter rows. An odd number of threads: one row in a block.
  // PIN: grid 1 33 1 block 8 1 1 shared 0: layers$mesi$0
  layers<<<1, 33>>>(p, 9);
  // Too few iterations, none, two dimensions, too many threads for a grid's rows, dynamic shared memory.
  // PIN: grid 8 1 1 block 256 1 1 shared 0: layers{{$}}
  layers<<<8, 256>>>(p, 8);
  // PIN: grid 8 1 1 block 256 1 1 shared 0: layers{{$}}
  layers<<<8, 256>>>(p, -4096);
  // PIN: grid 8 1 1 block 16 16 1 shared 0: layers{{$}}
  layers<<<8, dim3(16, 16)>>>(p, 4096);
  // PIN: grid 4096 1 1 block 256 1 1 shared 0: layers{{$}}
  layers<<<4096, 256>>>(p, 4096);
  // PIN: grid 8 1 1 block 256 1 1 shared 64: layers{{$}}
  layers<<<8, 256, 64>>>(p, 4096);
}
