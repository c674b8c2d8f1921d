// Sums of real numbers that begin with what a thread loads: the code in front of the loop is run for each element of a block before any strip is there, and leaves
// what it works out in shared memory, a row of warps after the other; warps take their sums from there. Bits are those of the kernel's own order.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.mma.ll && %FileCheck %s -check-prefix=CODE < %t.mma.ll

// PLAN-LABEL: plan of layer
// PLAN: mma: tiles of 128 x 128, m lines of f32 along the sum by x, n lines of f32 along the sum by y
// PLAN-LABEL: plan of update
// PLAN: mma: tiles of 64 x 128, m lines of f64 along the sum by y, n lines of f64 across the sum by x
// PLAN-LABEL: plan of constant
// CODE-LABEL: define {{.*}} @"layer$mesi$2"(
// CODE: mma.begin:
// CODE-NEXT: [[BAND:%[0-9]+]] = phi i32 [ 0, %mma ]
// CODE-COUNT-64: = phi float [ poison, %mma ]
// CODE-NOT: = phi float
// An element that there is runs the kernel's code up to the loop.
// CODE: mma.start:
// CODE: br i1 {{%[0-9]+}}, label %mma.front, label %mma.started
// CODE: mma.begun:
// CODE-NEXT: [[BEGIN:%[0-9]+]] = phi float
// CODE-NEXT: store float [[BEGIN]], ptr addrspace(3)
// CODE: barrier.cta.sync.aligned.all(i32 0)
// CODE-NEXT: icmp eq i32 [[BAND]],
// CODE: mma.take:
// CODE-COUNT-16: load <4 x float>, ptr addrspace(3)
// CODE: mma.taken:
// CODE: barrier.cta.sync.aligned.all(i32 0)
// CODE: mma.head:
// CODE-COUNT-64: = phi float [ {{%[0-9]+}}, %mma.done{{[0-9]+}} ]
// The kernel's own code stores the sum as it is.
// CODE: mma.element:
// CODE: [[SUM:%[0-9]+]] = load float, ptr addrspace(3)
// CODE: store float [[SUM]], ptr {{.*}}!
extern "C" __global__ void layer(float *out, const float *x, const float *w, const float *bias, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = bias ? bias[col] : 0.0f;
    for (int i = 0; i < k; i++)
      sum += x[row * k + i] * w[col * k + i];
    out[row * n + col] = sum;
  }
}
// CODE-LABEL: define {{.*}} @"update$mesi$2"(
// CODE: mma.begun:
// CODE: mma.take:
// CODE-COUNT-64: load double, ptr addrspace(3)
// CODE: mma.taken:
extern "C" __global__ void update(const double *a, const double *b, double *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    double sum = c[row * n + col];
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// A constant is what all sums begin with at once.
// CODE-LABEL: define {{.*}} @"constant$mesi$2"(
// CODE-NOT: mma.begin
// CODE: = phi float [ 1.500000e+00, %mma ]
// CODE-LABEL: define {{.*}} @"constant$mesi$3"(
extern "C" __global__ void constant(float *out, const float *x, const float *w, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) {
    float sum = 1.5f;
    for (int i = 0; i < k; i++)
      sum += x[row * k + i] * w[col * k + i];
    out[row * n + col] = sum;
  }
}
