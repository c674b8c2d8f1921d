// Shared memory is counted with that of functions that were not inlined, and with what may be lost to alignment, as ptxas lays arrays out in an order of its own:
// what is left is for tiles.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-kernel;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -mllvm -mesi-force -Rpass=mesi -S %s -o %t.s 2>&1 | %FileCheck %s -check-prefix=STAGED
// STAGED-DAG: staged 'arg0' in called: {{[0-9]+}} bytes of shared memory
// STAGED-DAG: staged 'arg0' in aligned: {{[0-9]+}} bytes of shared memory
// RUN: %cuda/bin/ptxas -arch=sm_90 %t.s -o %t.cubin
#define SUM                                             \
  int row = blockIdx.x * blockDim.x + threadIdx.x;      \
  for (int i = 0; i < 512; i++)                         \
    s += a[row * 512 + i];                              \
  sums[row] = s;
__device__ __noinline__ float deep(float x) {
  __shared__ float own[4096];
  own[threadIdx.x] = x;
  __syncthreads();
  return own[(threadIdx.x + 1) & 255];
}
__device__ __noinline__ float outer(float x) { return deep(x) + 1; }
// CHECK-LABEL: kernel _Z6calledPKfPf
// CHECK: own shared memory 16384 bytes{{$}}
__global__ void called(const float *a, float *sums) {
  float s = outer(a[threadIdx.x]);
  SUM
}
// CHECK-LABEL: kernel _Z7alignedPKfPf
// CHECK: own shared memory 10240 bytes{{$}}
__global__ void aligned(const float *a, float *sums) {
  __shared__ alignas(1024) float one[4];
  __shared__ alignas(1024) float two[4];
  __shared__ float three[2040];
  three[threadIdx.x] = one[threadIdx.x & 3] = two[threadIdx.x & 3] = a[threadIdx.x];
  __syncthreads();
  float s = three[(threadIdx.x + 1) & 255] + one[0] + two[1];
  SUM
}
__device__ __noinline__ float dynamic(float x) {
  extern __shared__ float room[];
  room[threadIdx.x] = x;
  __syncthreads();
  return room[(threadIdx.x + 1) & 255];
}
// CHECK-LABEL: kernel _Z7unknownPKfPf
// CHECK: own shared memory 0 bytes, and dynamic
__global__ void unknown(const float *a, float *sums) {
  float s = dynamic(a[threadIdx.x]);
  SUM
}
