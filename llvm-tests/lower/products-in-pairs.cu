// A sum of two products, of which the back end fuses one: where lanes are guarded one by one LLVM leaves the product in another block, and both were rounded.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -emit-llvm -S %s -o %t.ll
// RUN: sed -n '/^define.*mesi$0"(/,/^}/p' %t.ll > %t.version && grep -q 'llvm.nvvm.mul.rn.f' %t.version && grep -q 'llvm.fmuladd.f32' %t.version && %not grep -q 'fadd contract' %t.version
__global__ void pool(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  int x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float s = 0;
    for (int dy = 0; dy < 2; dy++)
      for (int dx = 0; dx < 2; dx++) {
        float v = in[(y * 2 + dy) * (w * 2 + 2) + x * 2 + dx];
        s += v * v;
      }
    out[y * w + x] = s;
  }
}
