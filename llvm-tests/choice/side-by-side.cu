// Replicas that are neighbours along x load and store at once, where that is more than blocks are merged otherwise.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -S %s -o - | %FileCheck %s -check-prefix=PTX

// PLAN-LABEL: plan of bytes
// PLAN: merge 16x1x1 blocks, consecutive along x
// PLAN: access0: all replicas at once if aligned
// PLAN: access1: all replicas at once if aligned
// One test of both stands before the load; where it does not hold they go replica by replica.
// CODE-LABEL: define {{.*}} @"bytes$mesi$1"
// CODE: and i64 {{.*}}, 15
// CODE: and i64 {{.*}}, 15
// CODE: br i1 {{.*}}, label %mesi.wide{{[0-9]*}}, label %mesi.slow
// CODE: load <16 x i8>, {{.*}}, align 16
// CODE: extractelement <16 x i8> {{.*}}, i32 15
// CODE: store <16 x i8> {{.*}}, align 16
// PTX-LABEL: .entry bytes$mesi$1
// PTX: ld.global{{.*}}.v4.b32
// PTX: st.global.v4.b32
extern "C" __global__ void bytes(const unsigned char *a, unsigned char *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = 255 - a[i];
}
// Numbers of another size beside it: as many as the widest have room for.
// PLAN-LABEL: plan of halves
// PLAN: merge 8x1x1 blocks, consecutive along x
extern "C" __global__ void halves(const _Float16 *a, unsigned char *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = (unsigned char)(float)a[i];
}
// Four floats are as fast of other blocks.
// PLAN-LABEL: plan of floats
// PLAN-NOT: consecutive along x
extern "C" __global__ void floats(const float *a, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = 2 * a[i];
}
// A neighbour's cell is never aligned where a thread's own is.
// PLAN-LABEL: plan of window
// PLAN-NOT: consecutive along x
extern "C" __global__ void window(const unsigned char *a, unsigned char *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = a[i] ^ a[i + 1];
}
// What is loaded behind a store could not be done again.
// PLAN-LABEL: plan of behind
// PLAN-NOT: consecutive along x
extern "C" __global__ void behind(const unsigned char *a, unsigned char *o, unsigned char *p, const unsigned char *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    o[i] = a[i];
    p[i] = q[i] + 1;
  }
}
// Cells two apart.
// PLAN-LABEL: plan of apart
// PLAN-NOT: consecutive along x
extern "C" __global__ void apart(const unsigned char *a, unsigned char *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[2 * i] = a[i];
}
// PLAN-LABEL: plan of end
extern "C" __global__ void end(int *a) { a[0] = 1; }
