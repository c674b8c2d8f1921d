// What the model is sure of before anything was measured, and the registers that a version has.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<disable=off;form=own>' -S %t.ll | %FileCheck %s -check-prefix=CODE
#define R 3

// Threads of a triangle end at different times: four merged blocks for each multiprocessor, where others need one.
// CHECK-LABEL: plan of triangle$mesi$copy
// CHECK: merge 4x4x1 blocks
// CHECK: pays: 8448 <= nctaid.x*nctaid.y{{$}}
extern "C" __global__ void triangle(const float *A, const float *B, float *C, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= n || row >= n)
    return;
  float s = 0;
  for (int i = 0; i <= row; i++)
    s += A[row * n + i] * B[i * n + col];
  C[row * n + col] = s;
}

// Neighbours lie rows apart, so the narrower blocks are, the less there is to gain; rows of 8 are enough in large blocks, and not in small ones.
// CHECK-LABEL: plan of window{{$}}
// CHECK: pays: 0 <= -ntid.x*nctaid.x + 2*s{{[0-9]$}}
// CHECK-NEXT: pays: 0 <= -ntid.y*nctaid.y + 2*s{{[0-9]$}}
// CHECK-NEXT: pays: 16 <= ntid.x*ntid.y*ntid.z <= 512
// CHECK-NEXT: pays: ntid.x*ntid.y*ntid.z is a multiple of 32
// CHECK-NEXT: pays: 16 <= ntid.x <= 32
extern "C" __global__ void window(const float *in, const float *mask, float *out, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    for (int c = 0; c < 3; c++) {
      float s = 0;
      for (int dy = -R; dy <= R; dy++)
        for (int dx = -R; dx <= R; dx++) {
          int sx = x + dx, sy = y + dy;
          if (sx >= 0 && sx < w && sy >= 0 && sy < h)
            s += in[(sy * w + sx) * 3 + c] * mask[(dy + R) * (2 * R + 1) + dx + R];
        }
      out[(y * w + x) * 3 + c] = s;
    }
  }
}

// Four sums of a thread and what they share do not fit in the 32 registers that leave room for all threads.
// CHECK-LABEL: plan of sums{{$}}
// CHECK: merge 1x4x1 blocks
// CODE: define {{.*}} @"sums$mesi$0"({{.*}}) {{.*}}[[ATTRIBUTES:#[0-9]+]]
// CODE: attributes [[ATTRIBUTES]] = {{.*}}"nvvm.maxnreg"="40"
extern "C" __global__ void sums(const short *__restrict__ in, const int *__restrict__ mask, int *__restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < h && x < w) {
    int s = 0;
    for (int dy = -R; dy <= R; dy++)
      for (int dx = -R; dx <= R; dx++) {
        int sx = x + dx, sy = y + dy;
        if (sx >= 0 && sx < w && sy >= 0 && sy < h)
          s += in[sy * w + sx] * mask[(dy + R) * (2 * R + 1) + dx + R];
      }
    out[y * w + x] = s;
  }
}
