// Reads of a window that are guarded one by one are one box, with limits on the elements, and nothing of it is clipped.
// A table of weights under the same guards, which all threads read alike, is no box: each thread would find out weight by
// weight which are read, so the table stays where it is. A cross lacks the corners, and stays read by read.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own;merge=2x4x1>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force>' -disable-output %t.ll 2>&1 | %FileCheck --check-prefix=FORCE %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<disable=off;form=own;only=window;merge=2x4x1>' -S %t.ll | %FileCheck --check-prefix=IR %s

#define PLACE \
  int row = blockIdx.x * blockDim.x + threadIdx.x; \
  int col = blockIdx.y * blockDim.y + threadIdx.y; \
  if (row >= h || col >= w) \
    return
#define INSIDE(r, c) ((r) >= 0 && (r) < h && (c) >= 0 && (c) < w)

// Of the copy whose axes are exchanged.
// CHECK-LABEL: plan of _Z6windowPKfS0_Pfii$mesi$copy
// CHECK: tile0: array0 x, unit 4, run-time size at byte 0, zero-filled
// CHECK: reads offsets {{\[\[}}0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]], tid.x <= {{[^,]*}}, tid.y <= {{[^,]*}}, element 1 >= -ctaid.x*ntid.x + 1, element 1 <= -ctaid.x*ntid.x + s0, element 0 >= -ctaid.y*ntid.y + 1, element 0 <= -ctaid.y*ntid.y + s1{{$}}
// CHECK-NOT: reads offsets
// CHECK: mask not staged: NotProfitable
// FORCE-LABEL: plan of _Z6windowPKfS0_Pfii
// FORCE: array1 mask
// FORCE-COUNT-9: reads offsets
// IR-LABEL: define {{.*}} @"_Z6windowPKfS0_Pfii$mesi$1"
// IR: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier
__global__ void window(const float *__restrict__ x, const float *__restrict__ mask, float *__restrict__ y, int w, int h) {
  PLACE;
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (INSIDE(row + dy, col + dx))
        sum += x[(row + dy) * w + col + dx] * mask[(dy + 1) * 3 + dx + 1];
  y[row * w + col] = sum;
}

// CHECK-LABEL: plan of _Z5crossPKfPfii
// CHECK: tile0: array0 x, unit 4, run-time size at byte 0, clipped
// CHECK-COUNT-5: reads offsets {{\[\[[0-9-]+, [0-9-]+]]}}, tid
__global__ void cross(const float *__restrict__ x, float *__restrict__ y, int w, int h) {
  PLACE;
  float sum = x[row * w + col];
  if (INSIDE(row - 1, col)) sum += x[(row - 1) * w + col];
  if (INSIDE(row + 1, col)) sum += x[(row + 1) * w + col];
  if (INSIDE(row, col - 1)) sum += x[row * w + col - 1];
  if (INSIDE(row, col + 1)) sum += x[row * w + col + 1];
  y[row * w + col] = sum;
}
