// What neighbouring threads read side by side, each cell once, is no version's tile: a copy reads as much, and a barrier waits for it.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// With force there is one.
// RUN: env MESI_FORCE=1 %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=FORCE

// CHECK-LABEL: plan of once
// CHECK-NOT: tile
// FORCE-LABEL: plan of once
// FORCE: tile0: array0
extern "C" __global__ void once(int *a, int w) { a[threadIdx.x] = a[threadIdx.x] / w; }

// Each of these reads is clamped by itself, so each would have a tile. Where ids are flattened rows are told apart in a copy.
// CHECK-LABEL: plan of window
// CHECK-NOT: tile
extern "C" __global__ void window(const short *in, int *out, int w, int h) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= w * h)
    return;
  int y = id / w, x = id % w, most = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      most = max(most, in[min(max(y + dy, 0), h - 1) * w + min(max(x + dx, 0), w - 1)]);
  out[id] = most;
}

// Read more than once they are: three neighbours need not ask for the same cell.
// CHECK-LABEL: plan of thrice
// CHECK: tile0: array0
extern "C" __global__ void thrice(const float *__restrict__ a, const int *__restrict__ steps, float *__restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = a[i] + a[i + 1] + a[i + 2];
  for (int k = 0; k < steps[i]; k++)
    s = s * s + 1.0f;
  b[i] = s;
}
