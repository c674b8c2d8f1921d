// What the host can tell for the whole grid no block tests again: the version has no other body. What it cannot tell each block tests, with the
// original body behind the test: numbers that lie in memory, and all of a template's kernel that other files may have.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<disable=off;form=own>' -S %t.ll -o %t.own.ll
// RUN: %FileCheck %s --input-file=%t.own.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off;reshape=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fgpu-rdc -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.rdc.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<disable=off;form=own>' -S %t.rdc.ll | %FileCheck %s -check-prefix=RDC

// Joined: thread numbers run over the grid, block numbers are not asked.
// CHECK-LABEL: define {{.*}} @"_Z7productPKfS0_Pfi$mesi$0"
// CHECK: br i1 true, label %mesi.setup, {{.*}} !mesi.dispatch
// GATE-LABEL: define {{.*}} @"_Z7productPKfS0_Pfi$mesi$0$gate"
// GATE-NOT: ctaid
// GATE: ret i1
__global__ void product(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float s = 0;
    for (int k = 0; k < n; k++)
      s += a[row * n + k] * b[k * n + col];
    c[row * n + col] = s;
  }
}

// Apart: a block's number runs by itself, and the last one counts for how far rows lie.
// CHECK-LABEL: define {{.*}} @"_Z5blockPKfPfii$mesi$0"
// CHECK: br i1 true, label %mesi.setup, {{.*}} !mesi.dispatch
// GATE-LABEL: define {{.*}} @"_Z5blockPKfPfii$mesi$0$gate"
// GATE: %[[PLACE:.*]] = getelementptr i32, ptr %1, i64 4
// GATE: %[[BLOCKS:.*]] = load i32, ptr %[[PLACE]]
// GATE: %[[WIDE:.*]] = zext i32 %[[BLOCKS]] to i64
// GATE: sub i64 %[[WIDE]], 1
// Beyond 64 bits it refuses.
// GATE: call { i64, i1 } @llvm.smul.with.overflow.i64
__global__ void block(const float *a, float *c, int n, int m) {
  int i = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[(blockIdx.y * m + i) * n + k];
  c[blockIdx.y * m + i] = s;
}

// The bound lies in memory.
// CHECK-LABEL: define {{.*}} @"_Z6memoryPKfPfPKi$mesi$0"
// CHECK: br i1 %{{.*}}, label %mesi.setup, {{.*}} !mesi.dispatch
__constant__ int length;
__global__ void memory(const float *a, float *c, const int *) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, n = length;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[row * n + k];
  c[row] = s;
}

// CHECK-LABEL: define {{.*}} @"_Z4rowsIfEvPKT_PS0_i$mesi$0"
// CHECK: br i1 true, label %mesi.setup, {{.*}} !mesi.dispatch
// RDC-LABEL: define {{.*}} @"_Z5blockPKfPfii$mesi$0"
// RDC: br i1 true, label %mesi.setup, {{.*}} !mesi.dispatch
// RDC-LABEL: define {{.*}} @"_Z4rowsIfEvPKT_PS0_i$mesi$0"
// RDC: br i1 %{{.*}}, label %mesi.setup, {{.*}} !mesi.dispatch
template <class T> __global__ void rows(const T *a, T *c, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  T s = 0;
  for (int k = 0; k < n; k++)
    s += a[row * n + k];
  c[row] = s;
}
template __global__ void rows<float>(const float *, float *, int);
