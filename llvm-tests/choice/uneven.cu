// What the host alone asks where the original reads as far ahead as the copies do: rows that wide copies can bring, columns that L2 does not hold, and
// work for each thread where tiles are filled whole.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// The kernel itself asks none of it.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -emit-llvm -S %s -o - | %FileCheck %s -check-prefix=CODE
// CODE-LABEL: define {{.*}}ptx_kernel void @_Z7columnsPKfS0_Pfii(
// CODE-NOT: 45875200
// CODE-LABEL: define

// Two lanes: rows of both arrays, or iterations and threads. More ask nothing of rows.
// CHECK-LABEL: plan of _Z7productPKfS0_Pfiii
// CHECK: merge 4x4x1 blocks
// CHECK-NOT: asked by the host alone: {{.*}} is a multiple
// CHECK: else version 2
// CHECK: asked by the host alone: 4*s0 is a multiple of 16, or 135168 <= ntid.x*ntid.y*nctaid.x*nctaid.y + 264*trip(loop0)
// CHECK-NEXT: asked by the host alone: 4*s1 is a multiple of 16, or 135168 <= ntid.x*ntid.y*nctaid.x*nctaid.y + 528*trip(loop0)
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
// An element of eight bytes is half of a wide copy; of elements of two bytes narrower ones bring several.
// CHECK-LABEL: plan of _Z10no_doublesPKdS0_Pdiii
// CHECK: merge
// CHECK-NOT: is a multiple of 16, or 135168
__global__ void no_doubles(const double *a, const double *b, double *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    double sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK-LABEL: plan of _Z9no_shortsPKtS0_Pjiii
// CHECK: merge
// CHECK-NOT: is a multiple of 16, or 135168
__global__ void no_shorts(const unsigned short *a, const unsigned short *b, unsigned *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    unsigned sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// Rows of known length, at 16 bytes in any case.
// CHECK-LABEL: plan of _Z8no_knownPA64_KfS1_Pfi
// CHECK: merge
// CHECK-NOT: is a multiple
__global__ void no_known(const float (*a)[64], const float (*b)[64], float *c, int m) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < 64) {
    float sum = 0;
    for (int i = 0; i < 64; i++)
      sum += a[row][i] * b[i][col];
    c[row * 64 + col] = sum;
  }
}
// Each thread a row of its own, in strips of one length; the kernel itself takes long rows wherever they begin.
// CHECK-LABEL: plan of _Z4rowsPfPKfS_ii
// CHECK: fact: 4*s0 is a multiple of 16, or 256 <= trip(loop0)
// CHECK: asked by the host alone: 4*s0 is a multiple of 16{{$}}
// GATE-LABEL: define zeroext i1 @"_Z4rowsPfPKfS_ii$mesi$0$pays$gate"
// GATE: %[[REST:.*]] = and i32 %{{.*}}, 15
// GATE: %[[WHOLE:.*]] = icmp eq i32 %[[REST]], 0
// GATE: or i1 %[[WHOLE]],
// GATE: freeze
// GATE: br i1
__global__ void rows(float *head, const float *x, float *y, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    float first = head[i];
    float s = 0;
    for (int k = 0; k < n; k++)
      s += x[i * n + k] * first;
    head[i] = s;
    y[i] = s;
  }
}
// Strips as long as the block's rows leave room for.
// CHECK-LABEL: plan of _Z10no_stretchPKfPfii
// CHECK: if they fit
// CHECK-NOT: asked by the host alone
__global__ void no_stretch(const float *x, float *y, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    float most = x[i * n];
    for (int k = 0; k < n; k++)
      most = x[i * n + k] > most ? x[i * n + k] : most;
    y[i] = most;
  }
}
// Seven eighths of 50 MB; with 1024 threads a multiprocessor whatever there is to read.
// CHECK-LABEL: plan of _Z7columnsPKfS0_Pfii
// CHECK: asked by the host alone: 45875200 <= 339*ntid.x*nctaid.x + 4*ntid.x*nctaid.x*trip(loop0)
// GATE-LABEL: define zeroext i1 @"_Z7columnsPKfS0_Pfii$mesi$0$pays$gate"
// GATE: icmp {{.*}} i64 {{.*}}45875200
__global__ void columns(const float *a, const float *x, float *y, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col < n) {
    float sum = 0;
    for (int k = 0; k < m; k++)
      sum += a[k * n + col] * x[k];
    y[col] = sum;
  }
}
// Rows of threads: what one thread loads is not beside what the next one does.
// CHECK-LABEL: plan of _Z11no_coalescePKfS0_Pfii
// CHECK: region
// CHECK-NOT: 45875200
__global__ void no_coalesce(const float *a, const float *x, float *y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += a[row * n + k] * x[k];
    y[row] = sum;
  }
}
// The model asks for 40 iterations of a thread.
// CHECK-LABEL: plan of _Z7nearestPKfS0_Piiii
// CHECK: fact: 40 <= trip(loop0)*trip(loop1)
// CHECK: asked by the host alone: 220 <= 30*trip(loop0) + trip(loop0)*trip(loop1)
__global__ void nearest(const float *points, const float *centres, int *out, int n, int c, int f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float best = 1e30f;
    int which = 0;
    for (int k = 0; k < c; k++) {
      float d = 0;
      for (int j = 0; j < f; j++) {
        float t = points[i * f + j] - centres[k * f + j];
        d += t * t;
      }
      if (d < best) {
        best = d;
        which = k;
      }
    }
    out[i] = which;
  }
}
__global__ void last(float *x) { x[threadIdx.x] = 0; }
