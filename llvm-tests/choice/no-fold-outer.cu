// Flattened ids that are not taken apart for what the kernel asks along other axes than theirs, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*taken apart" %t.remarks
// CHECK: yes: its flattened ids are taken apart: {{.*}}, for each blockIdx.y
#define MATRIX const float *in, float *out, int h, int w
#define ID                                                                                                                                           \
  int t = blockIdx.x * blockDim.x + threadIdx.x;                                                                                                     \
  if (t >= h * w)                                                                                                                                    \
  return
#define TURNED t % w * h + t / w
extern "C" __global__ void yes(MATRIX) {
  ID;
  out[blockIdx.y * h * w + TURNED] = in[blockIdx.y * h * w + t];
}
// Numbers of blocks along two more axes.
extern "C" __global__ void no_two(MATRIX) {
  ID;
  int n = blockIdx.z * 7 + blockIdx.y;
  out[n * h * w + TURNED] = in[n * h * w + t];
}
// Threads along another axis.
extern "C" __global__ void no_threads(MATRIX) {
  ID;
  out[threadIdx.y * h * w + TURNED] = in[threadIdx.y * h * w + t];
}
// The grid's size.
extern "C" __global__ void no_size(MATRIX) {
  ID;
  int n = gridDim.z - 1 - blockIdx.z;
  out[n * h * w + TURNED] = in[n * h * w + t];
}
// How many planes there are nothing tells: no limit says where one layer ends and the next one begins.
extern "C" __global__ void no_limit(MATRIX) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int plane = t / (h * w), y = t / w % h, x = t % w;
  out[((blockIdx.z * 8 + plane) * h + x) * w + y] = in[(blockIdx.z * 8 + plane) * h * w + t % (h * w)];
}
