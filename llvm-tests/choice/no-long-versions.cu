// Where threads leave a kernel from many blocks, each replica's way on hangs on all of them: versions of merged blocks would have many times the kernel's code, and LLVM
// would take minutes for them. They are left out, with a remark; the kernel's other candidates stay.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -S %s -o %t.ptx 2>&1 | %FileCheck %s
// CHECK: exits{{.*}}: no version of so many merged blocks: its code would be many times the kernel's
__global__ void exits(const int *__restrict__ x, int *__restrict__ y, long long n) {
  const int words = 544;
  __shared__ int values[words];
#pragma unroll
  for (int at = 0; at < words; at += 16) {
    if (544ll * blockIdx.x + at + threadIdx.x >= n) break;
    values[at + threadIdx.x] = x[words * blockIdx.x + at + threadIdx.x];
  }
  __syncthreads();
#pragma unroll
  for (int at = 0; at < 1024; at += 32) {
    if (1024ll * blockIdx.x + at + threadIdx.x >= n) return;
    int first = 17 * ((at + threadIdx.x) / 32);
    y[1024 * blockIdx.x + at + threadIdx.x] = values[first] * values[first + 1 + threadIdx.x % 16];
  }
}
