// Copies that are not written in another way, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// Versions go into the kernel itself, or its code must stay short: there are none.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %not grep "mma:"
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own;code=4>' -disable-output %t.ll 2>&1 | %not grep "mma: tiles of 128 x 128, m lines of f32 along the sum by y"
// Of two places the copy's rewrite has the second, behind the version that is planned.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;kernels=2>' -S %t.ll | %FileCheck %s -check-prefix=TWO

// It is one.
// CHECK-LABEL: plan of flat$mesi$copy
// CHECK: {{^}}  mma: tiles of 128 x 128
// TWO-LABEL: define {{.*}} @"flat$mesi$0"(
// TWO: {{^}}fold:
// TWO-LABEL: define {{.*}} @"flat$mesi$1"(
// TWO-NEXT: mma:
// TWO-NOT: @"flat$mesi$2"
extern "C" __global__ void flat(const float *a, const float *b, float *c, int m, int n, int k) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= m * n)
    return;
  int row = id / n, col = id % n;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[id] = s;
}

// A product that is added to in another block than its own: where ids are compared with lengths LLVM might make one of them, and fuse the two.
// CHECK-LABEL: plan of no_crossing
// CHECK: no mma: real numbers might be worked out in another way without the loop
// CHECK: folded: rows of n, m*n of them
// CHECK-LABEL: plan of no_crossing$mesi$copy
// CHECK-NOT: mma
// CHECK: plan of no_more
extern "C" __global__ void no_crossing(const float *a, const float *b, float *c, int m, int n, int k) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= m * n)
    return;
  int row = id / n, col = id % n;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[id] = 2.0f * s + 0.5f * c[id];
}

// The kernel is written so itself: no other launch comes before.
// CHECK: {{^}}  mma: tiles of 128 x 128, m lines of f32 along the sum by x
// CHECK: permuted:
// CHECK-LABEL: plan of no_more$mesi$copy
// CHECK-NOT: mma
// CHECK: plan of batch
extern "C" __global__ void no_more(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}

// Layers of the copy's grid are a product each.
// CHECK: no mma: threads may have to do with each other, or ask for more than their ids along x and y
// CHECK: folded: rows of n, planes of n rows
// CHECK-LABEL: plan of batch$mesi$copy
// CHECK: {{^}}  mma: tiles of 128 x 128, n lines of f32 along the sum by y
// CHECK: plan of no_sums
extern "C" __global__ void batch(const float *a, const float *b, float *c, int all, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= all * n * n)
    return;
  int col = id % n, row = id / n % n, which = id / (n * n);
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[(which * n + row) * n + i] * b[(which * n + i) * n + col];
  c[id] = s;
}

// What is in the kernel's way is in the copy's, too: that is said once.
// CHECK: no mma: the loop does more than sum up products
// CHECK: permuted:
// CHECK-LABEL: plan of no_sums$mesi$copy
// CHECK-NOT: mma
// CHECK: plan of no_triangle
extern "C" __global__ void no_sums(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float s = 0, t = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col], t += b[i * n + col];
  c[row * n + col] = s / t;
}

// The copy has another reason.
// CHECK: no mma: threads may have to do with each other, or ask for more than their ids along x and y
// CHECK: folded: rows of n, m*n of them
// CHECK-LABEL: plan of no_triangle$mesi$copy
// CHECK: no mma: how often the loop runs is not known
extern "C" __global__ void no_triangle(const float *a, const float *b, float *c, int m, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= m * n)
    return;
  int row = id / n, col = id % n;
  float s = 0;
  for (int i = 0; i * i <= row; i++)
    s += a[row * m + i] * b[i * n + col];
  c[id] = s;
}
