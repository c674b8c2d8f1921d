// Kernels whose blocks are not packed, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.rdc.ll
// RUN: sed -e 's/\(@clusters([^)]*)\) #0/\1 #0 "nvvm.cluster_dim"="2"/' %t.rdc.ll > %t.clusters.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.clusters.ll 2>&1 | %FileCheck %s -check-prefix=RDC

// Threads that wait for others.
// CHECK-LABEL: plan of waits
// CHECK: no pack: its threads may wait for others, or it cannot be cloned
extern "C" __global__ void waits(int *a, volatile int *flag) {
  while (*flag == 0) ;
  a[blockIdx.x] = 1;
}
// Assembly may read the thread's number, and so may what tells which warp it is in.
// CHECK-LABEL: plan of assembly
// CHECK: no pack: threads may ask in another way where they are
extern "C" __global__ void assembly(int *a) {
  int b;
  asm volatile("mov.u32 %0, %%tid.z;" : "=r"(b));
  a[blockIdx.x] = b;
}
// CHECK-LABEL: plan of warps
// CHECK: no pack: threads may ask in another way where they are
extern "C" __global__ void warps(int *a) { a[blockIdx.x] = __nvvm_read_ptx_sreg_warpid(); }
// At barriers with a value, or for some of them; and where threads exchange values besides.
// CHECK-LABEL: plan of votes
// CHECK: no pack: threads of a block meet in other ways than at barriers for all of them
extern "C" __global__ void votes(int *a) { a[blockIdx.x] = __syncthreads_or(a[threadIdx.x]); }
// CHECK-LABEL: plan of exchange
// CHECK: no pack: threads of a block meet in other ways than at barriers for all of them
extern "C" __global__ void exchange(int *a) {
  __shared__ int all[32];
  all[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[blockIdx.x] = __shfl_sync(~0u, all[31 - threadIdx.x], 3);
}
// CHECK-LABEL: plan of called
// CHECK: no pack: threads of a block meet in other ways than at barriers for all of them
__device__ __noinline__ void meet() { __syncthreads(); }
extern "C" __global__ void called(int *a) {
  a[threadIdx.x] = 1;
  meet();
  a[blockIdx.x] = a[31 - threadIdx.x];
}
// CHECK-LABEL: plan of number
// CHECK: no pack: addresses of shared arrays are numbers, or multiples of more than 16
extern "C" __global__ void number(unsigned long long *a) {
  __shared__ int all[32];
  all[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[blockIdx.x] = (unsigned long long)&all[0] * all[31 - threadIdx.x];
}
// CHECK-LABEL: plan of lines
// CHECK: no pack: addresses of shared arrays are numbers, or multiples of more than 16
extern "C" __global__ void lines(int *a) {
  extern __shared__ __align__(128) int some[];
  atomicAdd(&some[a[threadIdx.x] & 31], 1);
  a[blockIdx.x] = some[3];
}
// Arrays for 128 threads.
// CHECK-LABEL: plan of larger
// CHECK-NOT: pack:
// CHECK-LABEL: plan of clusters
extern "C" __global__ void larger(int *a) {
  __shared__ int all[128];
  all[threadIdx.x] = a[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  a[blockIdx.x * 128 + threadIdx.x] = all[127 - threadIdx.x];
}
// RDC-LABEL: plan of clusters
// RDC: no pack: its blocks have a size of their own, or come in clusters
// CHECK: {{^  pack:}} blocks of up to 32 threads
extern "C" __global__ void clusters(int *a) { a[blockIdx.x] = 1; }
// RDC-LABEL: plan of _Z6mergedIiEvPT_
// RDC: no pack: several files may have it
template <typename T> __global__ void merged(T *a) { a[blockIdx.x] = 1; }
template __global__ void merged<int>(int *);
// CHECK-LABEL: plan of parameters
// CHECK: no pack: it has too many parameters
#define P(x) int x##0, int x##1, int x##2, int x##3, int x##4, int x##5, int x##6, int x##7
extern "C" __global__ void parameters(int *a, P(b), P(c), P(d), P(e)) { a[blockIdx.x] = b0 + e7; }
// Global ids alone: other blocks need no code.
// CHECK-LABEL: plan of global
// CHECK-NOT: pack:
extern "C" __global__ void global(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
}
// CHECK-LABEL: plan of end
extern "C" __global__ void end(int *a) { a[0] = 1; }
