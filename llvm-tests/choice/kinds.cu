// What tells kinds of launches apart: integers that steer a kernel, and the grid where it reads that.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s

// A loop by the grid's size goes round once, or twice: by how often the threads go into n.
// CHECK: about: at most 1024 threads, 0 bytes of shared memory, steered by the grid arg2+0:i32{{$}}
extern "C" __global__ void by_grid(float *o, const unsigned char *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) o[i] = a[i];
}
// How long it takes the model knows of this one: it has a grid of threads, and all their addresses.
// CHECK: about: at most 1024 threads, 0 bytes of shared memory, steered by arg2+0:i64, timed
extern "C" __global__ void by_thread(float *o, const unsigned char *a, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = a[i];
}
// Of one that was unrolled by hand it knows by its copy, in which there is no rest.
// CHECK: about: at most 1024 threads, 0 bytes of shared memory, steered by arg3+0:i32 arg4+0:i32, timed
extern "C" __global__ void by_twos(float *c, const float *a, const float *b, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float s = 0;
  int k = 0;
  for (; k + 2 <= m; k += 2) {
    s += a[y * m + k] * b[k * n + x];
    s += a[y * m + k + 1] * b[(k + 1) * n + x];
  }
  for (; k < m; k++) s += a[y * m + k] * b[k * n + x];
  c[y * n + x] = s;
}
