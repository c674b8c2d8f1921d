// Windows that lanes slide over without a tile: all but the last find what they read in a register.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;merge=2x2>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=MERGE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;merge=1x1x4;shared=0>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=LAYERS
// The code: four loads first, then one for each iteration.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -mllvm -mesi-only=mean -emit-llvm -S %s -o - | %FileCheck %s -check-prefix=CODE
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass=mesi -S %s -o /dev/null 2>&1 | %FileCheck %s -check-prefix=REMARK
// REMARK: merged 4 blocks of mean, nothing staged: 4 loads of all replicas, 1 addresses

// The thread's own place, which is in the image.
#define PIXEL                                                                                                        \
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;                   \
  if (column >= w || row >= h)                                                                                       \
    return;

// CHECK-LABEL: plan of _Z4meanPKfPfiii
// CHECK-NEXT: merge 1x4x1 blocks, consecutive along y
// CHECK-NEXT: nothing staged: 4 loads of all replicas, 1 addresses
// CHECK-NEXT: access0 slides along y in loop0
// CHECK: pays: 528 <= nctaid.x*nctaid.y
// CHECK: pays: {{[0-9]+}} <= trip(loop0)
// MERGE-LABEL: plan of _Z4meanPKfPfiii
// MERGE: merge 2x2x1 blocks
// CODE-LABEL: define {{.*}}@_Z4meanPKfPfiii(
// CODE-COUNT-4: load float
// CODE: %[[RING:.*]] = phi float
// CODE: br i1
__global__ void mean(const float *__restrict__ x, float *__restrict__ y, int w, int h, int r) {
  PIXEL
  float s = 0;
  for (int k = 0; k < r; k++)
    s += x[(row + k) * w + column];
  y[row * w + column] = s;
}
// What all lanes read alike is read once; two windows slide apart.
// CHECK-LABEL: plan of _Z5pairsPKfS0_S0_Pfiii
// CHECK-NEXT: merge 1x4x1 blocks, consecutive along y
// CHECK-NEXT: nothing staged: 9 loads of all replicas, 3 addresses
// CHECK-NEXT: slides along y in loop0
// CHECK-NEXT: slides along y in loop0
__global__ void pairs(const float *a, const float *b, const float *taps, float *y, int w, int h, int r) {
  PIXEL
  float s = 0;
  for (int k = 0; k < r; k++)
    s += taps[k] * (a[(row + k) * w + column] - b[(row + k) * w + column]);
  y[row * w + column] = s;
}
// Rows that are blocks.
// CHECK-LABEL: plan of _Z4rowsPKfPfiii
// CHECK-NEXT: merge 1x4x1 blocks{{$}}
// CHECK-NEXT: nothing staged
// CHECK-NEXT: slides along y in loop0
__global__ void rows(const float *x, float *y, int w, int h, int r) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= w)
    return;
  float s = 0;
  for (int k = 0; k < r; k++)
    s += x[(row + k) * w + column];
  y[row * w + column] = s;
}
// Planes of a solid, if asked for.
// CHECK-LABEL: plan of _Z6planesPKfPfiiii
// CHECK-NOT: slides
// LAYERS-LABEL: plan of _Z6planesPKfPfiiii
// LAYERS: merge 1x1x4 blocks, consecutive along z
// LAYERS-NEXT: nothing staged
// LAYERS-NEXT: slides along z in loop0
__global__ void planes(const float *x, float *y, int nx, int ny, int nz, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= nx || j >= ny || k >= nz)
    return;
  float s = 0;
  for (int d = 0; d < r; d++)
    s += x[((k + d) * ny + j) * nx + i];
  y[(k * ny + j) * nx + i] = s;
}
// Blocks inside, where no row is outside of the image.
// CHECK-LABEL: plan of _Z5edgesPKfPfiii
// CHECK-NEXT: for interior blocks
// CHECK-NEXT: merge 1x4x1 blocks, consecutive along y
// CHECK: slides along y in loop0
// CHECK: fact: 0 <= tid.y + iter(loop0) + ctaid.y*ntid.y - s0
// CHECK-NEXT: fact: 0 <= -tid.y - iter(loop0) - ctaid.y*ntid.y + s0 + s1 - 1
// MERGE-LABEL: plan of _Z5edgesPKfPfiii
// MERGE-NEXT: for interior blocks
// MERGE: merge 2x2x1 blocks
__global__ void edges(const float *x, float *y, int w, int h, int r) {
  PIXEL
  float s = 0;
  for (int k = -r; k <= r; k++)
    if (row + k >= 0 && row + k < h)
      s += x[(row + k) * w + column];
  y[row * w + column] = s;
}
// What is clamped.
// CHECK-LABEL: plan of _Z7clampedPKfPfiii
// CHECK-NEXT: for interior blocks
// CHECK-NEXT: merge 1x4x1 blocks, consecutive along y
__global__ void clamped(const float *x, float *y, int w, int h, int r) {
  PIXEL
  float s = 0;
  for (int k = -r; k <= r; k++)
    s += x[min(max(row + k, 0), h - 1) * w + column];
  y[row * w + column] = s;
}
// No windows. Rows far apart meet in no iteration:
// CHECK-LABEL: plan of _Z7no_stepPKfPfiii
// CHECK-NOT: slides
__global__ void no_step(const float *x, float *y, int w, int h, int r) {
  PIXEL
  float s = 0;
  for (int k = 0; k < r; k++)
    s += x[(2 * row + k) * w + column];
  y[row * w + column] = s;
}
// an iteration may not load, so the next finds nothing:
// CHECK-LABEL: plan of _Z8no_everyPKfPKiPfiii
// CHECK-NOT: slides
__global__ void no_every(const float *x, const int *which, float *y, int w, int h, int r) {
  PIXEL
  float s = 0;
  for (int k = 0; k < r; k++)
    if (which[k])
      s += x[(row + k) * w + column];
  y[row * w + column] = s;
}
// an iteration writes what the next may read:
// CHECK-LABEL: plan of _Z8no_writePKfPfiii
// CHECK-NOT: slides
__global__ void no_write(const float *x, float *y, int w, int h, int r) {
  PIXEL
  for (int k = 0; k < r; k++)
    y[(row * r + k) * w + column] = x[(row + k) * w + column];
}
// lanes run loops of their own:
// CHECK-LABEL: plan of _Z7no_tripPKfPfii
// CHECK-NOT: slides
__global__ void no_trip(const float *x, float *y, int w, int h) {
  PIXEL
  float s = 0;
  for (int k = 0; k < row; k++)
    s += x[(row + k) * w + column];
  y[row * w + column] = s;
}
// what is written in place is a window of what others write:
// CHECK-LABEL: plan of _Z8no_placePfiii
// CHECK-NOT: slides
__global__ void no_place(float *x, int w, int h, int r) {
  PIXEL
  float s = 0;
  for (int k = 0; k < r; k++)
    s += x[(row + k) * w + column];
  x[row * w + column] = s;
}
// neighbouring threads read rows of their own:
// CHECK-LABEL: plan of _Z12no_neighbourPKfPfiii
// CHECK-NOT: slides
__global__ void no_neighbour(const float *x, float *y, int w, int h, int r) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= w || row >= h)
    return;
  float s = 0;
  for (int k = 0; k < r; k++)
    s += x[row * w + column + k];
  y[row * w + column] = s;
}
// eight bytes take twice the registers:
// CHECK-LABEL: plan of _Z7no_widePKdPdiii
// CHECK-NOT: slides
__global__ void no_wide(const double *x, double *y, int w, int h, int r) {
  PIXEL
  double s = 0;
  for (int k = 0; k < r; k++)
    s += x[(row + k) * w + column];
  y[row * w + column] = s;
}
