// Each iteration stores what may be what it loaded, so the original loads again and no iteration shares another's product. In a tile
// the loads become one, and with them products: the one that the original does not fuse is pinned. The original keeps its own.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o - -fpass-plugin=%mesi -mllvm -mesi-force | %FileCheck %s
// CHECK: define {{.*}} @_Z6smooth
// CHECK: call float @llvm.nvvm.mul.rn.f(float {{%.*}}, float 0x3FD3333340000000)
// CHECK: {{^}$}}
__global__ void smooth(const float *x, float *y, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    for (int j = 0; j < n - 2; j++)
      y[i * n + j + 1] = 0.1f * x[i * n + j] + 0.3f * x[i * n + j + 1] + 0.1f * x[i * n + j + 2];
}
