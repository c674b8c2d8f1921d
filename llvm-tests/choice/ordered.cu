// What a loop carries in an order keeps it: lanes of a warp do the iterations' own work, and all of them the steps.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// Pinned; a launch of many threads runs the kernel. The model is sure of none.
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:sums=3 %t.exe | %FileCheck %s -check-prefix=PIN
// RUN: env MESI_CHOICE=prior %t.exe | %not grep -F 'sums$mesi$2'
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.split.ll && %FileCheck %s -check-prefix=CODE < %t.split.ll
// It takes no place from a version of the plan.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;kernels=2>' -S %t.ll -o %t.two.ll && %FileCheck %s -check-prefix=TWO < %t.two.ll
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
extern "C" {
int printf(const char *, ...);

// The product goes with its sum, so that both are fused; what each lane left is loaded four at once.
// REMARK: sums: its loops are split, with their sums in order: a warp for each thread, 1 loop with 1 accumulator, 2 steps in order
// PLAN-LABEL: plan of sums
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator, 2 steps in order
// CODE: @"sums$mesi$2$left" = internal unnamed_addr addrspace(3) global [512 x i8] poison, align 16
// CODE-LABEL: define {{.*}} @"sums$mesi$2"
// CODE: chunk:
// CODE: [[LEFT:%[0-9]+]] = sub i32
// CODE-NEXT: [[MINE:%[0-9]+]] = icmp ule i32 {{%[0-9]+}}, [[LEFT]]
// CODE-NEXT: br i1 [[MINE]],
// CODE: after:
// CODE: store float {{.*}} addrspace(3)
// CODE: store float {{.*}} addrspace(3)
// CODE: bar.warp.sync(i32 -1)
// CODE-NEXT: [[WHOLE:%[0-9]+]] = icmp uge i32 [[LEFT]], 31
// CODE-NEXT: br i1 [[WHOLE]], label %whole, label %last
// CODE: whole:
// CODE: phi float
// CODE: load float, ptr addrspace(3) {{.*}}, align 16
// CODE: [[PRODUCT:%[0-9]+]] = fmul contract float
// CODE-NEXT: fadd contract float {{.*}}[[PRODUCT]]
// CODE: last:
// CODE: load float, ptr addrspace(3) {{.*}}, align 4
// CODE: done:
// CODE: bar.warp.sync(i32 -1)
// CODE: br i1 {{%[0-9]+}}, label %chunk
// TWO-NOT: $left"
__global__ void sums(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int m, int n) {
  int i = ID;
  if (i >= m)
    return;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[i * n + k] * x[k];
  y[i] = s;
}

// A sum beside a number of times; under a branch, by which each lane says the way that it came.
// PLAN-LABEL: plan of near
// PLAN: split: a warp for each thread, 1 loop with 2 accumulators, 4 steps in order
// CODE-LABEL: define {{.*}} @"near$mesi$2"
// CODE: whole:
// CODE: [[SUM:%[0-9]+]] = fadd contract float
// CODE: [[HERE:%[0-9]+]] = icmp eq i32 {{%[0-9]+}}, 1
// CODE-NEXT: select i1 [[HERE]], float {{%[0-9]+}}, float [[SUM]]
__global__ void near(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ f, int n, float r) {
  int i = ID;
  float s = 0, xi = x[i];
  int count = 0;
  for (int j = 0; j < n; j++) {
    float q = x[j] - xi;
    if (q < r) {
      s += w[j] / q;
      count++;
    }
  }
  f[i] = s + count;
}

// The first of the least, with its number; a truth value takes a word.
// PLAN-LABEL: plan of least
// PLAN: split: a warp for each thread, 1 loop with 2 accumulators, {{[34]}} steps in order
__global__ void least(const double *__restrict__ x, int *__restrict__ at, int n) {
  int i = ID, first = -1;
  double best = 1e30;
  for (int j = 0; j < n; j++) {
    double d = x[j] * x[i];
    if (j != i && d < best) {
      best = d;
      first = j;
    }
  }
  at[i] = first;
}

// Whole numbers of which the order matters.
// PLAN-LABEL: plan of hash
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator, 2 steps in order
__global__ void hash(const unsigned char *a, unsigned *s, int n) {
  unsigned i = ID, sum = 0;
  for (int k = 0; k < n; k++)
    sum = sum * 31 + a[i * n + k];
  s[i] = sum;
}

// A sum of whole numbers in another loop is of lanes' parts still.
// PLAN-LABEL: plan of both
// PLAN: split: a warp for each thread, 2 loops with 2 accumulators, 1 step in order
// CODE-LABEL: define {{.*}} @"both$mesi${{[0-9]}}"
// CODE-DAG: shfl.sync.bfly
__global__ void both(const float *a, const int *c, float *y, int *s, int n) {
  int i = ID, sum = 0;
  float total = 0;
  for (int k = 0; k < n; k++)
    total += a[i * n + k];
  for (int k = 0; k < n; k++)
    sum += c[i * n + k];
  y[i] = total;
  s[i] = sum;
}

// Ways of the iteration's own meet at its end, where what steps take is chosen.
// PLAN-LABEL: plan of chosen
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator, 1 step in order
__global__ void chosen(const float *a, const int *at, float *y, int n) {
  int i = ID;
  float total = 0;
  for (int k = 0; k < n; k++) {
    float x;
    if (at[k] > 0)
      x = a[at[k]] / a[i * n + k];
    else
      x = a[n - at[k]];
    total += x;
  }
  y[i] = total;
}

// A product with a load behind it that lane 0 makes goes on to its sum.
// PLAN-LABEL: plan of scaled
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator, 1 step in order
// CODE-LABEL: define {{.*}} @"scaled$mesi$2"
// CODE: shfl.sync.idx.i32
// CODE: [[SCALED:%[0-9]+]] = fmul contract float
// CODE-NEXT: fadd contract float [[SCALED]]
__global__ void scaled(const float *a, float *y, int n, float w) {
  int i = ID;
  float total = 0;
  for (int k = 0; k < n; k++)
    total += a[i * n + k];
  y[i] += total * w;
}
}

int main() {
  float *a = 0;
  // PIN: grid 512 1 1 block 64 1 1 shared 0: sums$mesi$2
  sums<<<4, 256>>>(a, a, a, 1 << 10, 4096);
  // PIN: grid 7 1 1 block 32 1 1 shared 0: sums$mesi$2
  sums<<<1, 7>>>(a, a, a, 7, 4096);
  // PIN: grid 8192 1 1 block 64 1 1 shared 0: sums$mesi$2
  sums<<<64, 256>>>(a, a, a, 1 << 15, 4096);
  // More than 16,384 threads.
  // PIN: grid 65 1 1 block 256 1 1 shared 0: sums{{$}}
  sums<<<65, 256>>>(a, a, a, 1 << 15, 4096);
}
