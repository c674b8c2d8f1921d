// Products of matrices that a warp holds are what its threads do together, though LLVM calls them arithmetic: such kernels are
// not dealt out to other blocks or staged around them, also where they stand in a function. Blocks as a whole may be merged.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi -Rpass-analysis=mesi 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -E "may launch it in blocks|remark: staged" %t.remarks
// CHECK-DAG: not staged: 'arg0' in by_itself: access{{[0-9]+}} is a barrier or warp operation in the region (line {{[0-9]+}}) (OwnBarrier)
// CHECK-DAG: not staged: 'arg0' in in_a_loop: access{{[0-9]+}} is a barrier or warp operation in the region (line {{[0-9]+}}) (OwnBarrier)
// CHECK-DAG: not staged: 'arg0' in in_a_function: access{{[0-9]+}} has effects in the region that are not known (line {{[0-9]+}}) (UnknownEffect)
struct Tiles {
  int a[8], b[8];
};
__device__ __noinline__ float product(int x, int y) {
  int a[8];
  for (int k = 0; k < 8; k++)
    a[k] = x + k * y;
  float c[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  __hmma_m16n16k16_mma_f32f32(c, a, a, c, 1, 0);
  return c[0];
}
__global__ void by_itself(const float *x, float *y, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  float s = x[j * w + i] + x[j * w + i + 1] + x[(j + 1) * w + i] + x[(j + 1) * w + i + 1];
  int a[8];
  float c[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int k = 0; k < 8; k++)
    a[k] = __float_as_int(s);
  __hmma_m16n16k16_mma_f32f32(c, a, a, c, 1, 0);
  y[j * w + i] = c[0];
}
__global__ void in_a_loop(const int *a, const int *b, float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Tiles m;
  float c[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int t = 0; t < n; t++) {
    for (int k = 0; k < 8; k++) {
      m.a[k] = a[i * n + t] + k;
      m.b[k] = b[t] - k;
    }
    __hmma_m16n16k16_mma_f32f32(c, m.a, m.b, c, 1, 0);
  }
  for (int k = 0; k < 8; k++)
    d[i * 8 + k] = c[k];
}
__global__ void in_a_function(const int *a, const int *b, float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c = 0;
  for (int t = 0; t < n; t++)
    c += product(a[i * n + t], b[t]);
  d[i] = c;
}
