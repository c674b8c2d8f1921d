// Windows of neighbouring threads overlap, so replicas have squares in common. The back end fuses no product that five sums take, and the
// original's each have one: they are fused in every version, too.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S %s -o - -fpass-plugin=%mesi | %FileCheck %s
// Without the flag nothing is known of what the back end may fuse.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -ffp-contract=off -S -emit-llvm %s -o - -fpass-plugin=%mesi | %FileCheck %s --check-prefix=APART
// CHECK-LABEL: .entry _Z6windowPKfPfiii(
// CHECK: fma.rn.f32
// CHECK-LABEL: .entry _Z6windowPKfPfiii$mesi$0(
// CHECK-NOT: {{mul.f32.*(%r[0-9]+), \1;}}
// CHECK: fma.rn.f32
// CHECK-NOT: {{mul.f32.*(%r[0-9]+), \1;}}
// APART-NOT: llvm.fmuladd
__global__ void window(const float *in, float *out, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float s = 0;
  for (int dy = -r; dy <= r; dy++)
    for (int dx = -r; dx <= r; dx++) {
      int sx = x + dx, sy = y + dy;
      if (sx >= 0 && sx < w && sy >= 0 && sy < h) {
        float v = in[sy * w + sx];
        s += v * v;
      }
    }
  out[y * w + x] = s;
}
