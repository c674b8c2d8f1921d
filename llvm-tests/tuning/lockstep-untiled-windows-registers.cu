// A version whose lanes keep a window in each of many columns gets registers for all of them: words that spill there
// spill in every iteration. Narrow windows get what other versions without tiles get.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -emit-llvm -S %s -o - | %FileCheck %s
// CHECK: define {{.*}}@"_Z4widePKfPfii$mesi$0"({{.*}} [[WIDE:#[0-9]+]]
// CHECK: define {{.*}}@"_Z6narrowPKfPfii$mesi$0"({{.*}} [[NARROW:#[0-9]+]]
// CHECK-DAG: attributes [[WIDE]] = {{.*}}"nvvm.maxnreg"="96"
// CHECK-DAG: attributes [[NARROW]] = {{.*}}"nvvm.maxnreg"="32"
template <int R> __device__ void mean(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float s = 0;
    for (int dy = -R; dy <= R; dy++)
      for (int dx = -R; dx <= R; dx++)
        s += in[min(max(y + dy, 0), h - 1) * w + min(max(x + dx, 0), w - 1)];
    out[y * w + x] = s;
  }
}
__global__ void wide(const float *in, float *out, int w, int h) { mean<7>(in, out, w, h); }
__global__ void narrow(const float *in, float *out, int w, int h) { mean<2>(in, out, w, h); }
