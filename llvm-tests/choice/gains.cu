// What the kernel gains over its original in a kernel of its own, the host asks alone: products of few iterations, fewer rows than a warp
// has threads, short triangles, in place and abreast, windows in the largest blocks.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off;regroup=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<disable=off;host>' -S %t.ll | %FileCheck %s -check-prefix=CODE
// Nothing of it is asked where all is to be staged.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=FORCE
// FORCE-NOT: asked by the host alone

// Two lanes: long loops, the longer the fewer threads there are. Eight lanes: both in a product.
// CHECK-LABEL: plan of _Z7productPKfS0_Pfiii
// CHECK: merge 4x4x1 blocks
// CHECK-NOT: asked by the host alone
// CHECK: else version 1
// CHECK: asked by the host alone: 6488064 <= ntid.x*ntid.y*nctaid.x*nctaid.y*trip(loop0)
// CHECK: else version 2
// CHECK: asked by the host alone: 64 <= trip(loop0)
// CHECK-NEXT: asked by the host alone: 270336 <= ntid.x*ntid.y*nctaid.x*nctaid.y + 2112*trip(loop0)
// What only the host asks is in no version's code.
// GATE-LABEL: define zeroext i1 @"_Z7productPKfS0_Pfiii$mesi$1$pays$gate"
// GATE: icmp uge i64 %{{.*}}, 6488064
// CODE-LABEL: define {{.*}}@_Z7productPKfS0_Pfiii(
// CODE-NOT: mesi.host
// CODE-LABEL: define {{.*}}@"_Z7productPKfS0_Pfiii$mesi$1"(
// CODE-NOT: mesi.host
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// Threads next to each other read rows of their own: the original is no faster by itself. The same with bytes, which its loop is not
// lengthened for: more than two strips of 16 are asked for.
// CHECK-LABEL: plan of _Z12no_coalescedPKfPfii
// CHECK: merge
// CHECK-NOT: asked by the host alone
__global__ void no_coalesced(const float *a, float *c, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * a[col * k + i];
    c[row * n + col] = sum;
  }
}
// CHECK-LABEL: plan of _Z5bytesPKaS0_Piiii
// CHECK: merge
// CHECK: asked by the host alone: 33 <= trip(loop0)
// CHECK-NOT: asked by the host alone
__global__ void bytes(const signed char *a, const signed char *b, int *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    int sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK-LABEL: plan of _Z4rampPfii
// CHECK: writes back
// CHECK: asked by the host alone: 32 <= s{{[0-9]+}} <=
__global__ void ramp(float *out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    float v = i;
    for (int j = 0; j < n; j++) {
      v = 0.75f * v + 0.5f;
      out[i * n + j] = v;
    }
  }
}
// CHECK-LABEL: plan of _Z5lowerPKfPfii
// CHECK: 8 iterations abreast
// CHECK: asked by the host alone: 33 <= s{{[0-9]+}} <=
__global__ void lower(const float *__restrict__ a, float *__restrict__ c, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < rows; k++)
        c[i * n + j] += a[k * n + i] * a[k * n + j];
}
// Half a round of the longest loop.
// CHECK-LABEL: plan of _Z8in_placePfii
// CHECK: loop1: rounds of 16 iterations
// CHECK: asked by the host alone: 8 <= trip(loop0) - 1
// GATE-LABEL: define zeroext i1 @"_Z8in_placePfii$mesi$0$pays$gate"
// CODE-LABEL: define {{.*}}@"_Z8in_placePfii$mesi$0"(
// CODE: br i1 true, label %mesi.setup
__global__ void in_place(float *x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int a = 0; a < m; a++)
      for (int k = 0; k < a; k++)
        x[(i * m + a) * m + k] = x[(i * m + a) * m + k] * 0.5f + a;
}
// The same without a store gains with any length: nobody asks.
// CHECK-LABEL: plan of _Z6no_askPKfPfii
// CHECK: rounds of 16 iterations
// CHECK-NOT: fact: 8 <=
// GATE-LABEL: define zeroext i1 @"_Z6no_askPKfPfii$mesi$0$pays$gate"
// GATE-NEXT: ret i1 true
__global__ void no_ask(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int a = 0; a < m; a++) {
      for (int k = 0; k < a; k++)
        s += x[(a * m + k) * n + i];
      y[a * n + i] = s;
    }
  }
}
// 132 multiprocessors: no more blocks than that, or three times as many, where blocks have 1024 threads.
// CHECK-LABEL: plan of _Z6windowPKfS0_Pfiii
// CHECK: merge 2x1x1 blocks
// CHECK: asked by the host alone: 0 <= -1099511627776*ntid.x*ntid.y + nctaid.x*nctaid.x*nctaid.y*nctaid.y - 528*nctaid.x*nctaid.y + 1125899906894896
// CHECK-LABEL: plan of
__global__ void window(const float *img, const float *mask, float *out, int w, int h, int s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float v = 0;
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++)
      v += mask[i * s + j] * img[(y + i) * (w + s - 1) + x + j];
  out[y * w + x] = v;
}
__global__ void last(float *x) { x[threadIdx.x] = 0; }
