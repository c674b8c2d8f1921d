// Kernels with barriers of which no blocks are merged, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;host=on>' -disable-output %t.ll 2>&1 | %FileCheck %s
// What is emitted tells that dynamic shared memory would need parts, or that all parts together are too much: no such version is left.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<host;disable=off>' -S %t.ll -o %t.own.ll
// RUN: grep -q 'define.*@"yes$mesi$0"' %t.own.ll
// RUN: %not grep -E 'define.*@"(parts[$]mesi[$]|many[$]mesi[$]1)' %t.own.ll
#define PARAMETERS const float *__restrict__ x, float *__restrict__ y, int n
#define IS extern "C" __global__ void
#define START __shared__ float tile[256]; int t = threadIdx.x, i = blockIdx.x * 256 + t; tile[t] = x[i]
#define END y[i] = tile[255 - t]
// CHECK-LABEL: plan of yes
// CHECK: merge 4x1x1 blocks
IS yes(PARAMETERS) { START; __syncthreads(); END; }
// The blocks that come to it may be others than those merged.
// CHECK-LABEL: plan of guarded
// CHECK: no merge: blocks may come to a barrier on different ways
IS guarded(PARAMETERS) { START; if (blockIdx.x < n) { __syncthreads(); END; } }
// CHECK-LABEL: plan of lengths
// CHECK: no merge: blocks may come to a barrier on different ways
IS lengths(PARAMETERS) { START; for (int k = 0; k < blockIdx.x; k++) { __syncthreads(); tile[t] += tile[255 - t]; __syncthreads(); } END; }
// A walk from where a block begins to twice as far; one of unsigned numbers, whose end may wrap.
// CHECK-LABEL: plan of twice
// CHECK: no merge: blocks may come to a barrier on different ways
IS twice(PARAMETERS) { START; int first = n * (int)blockIdx.x; for (int k = first; k < 2 * first; k += 4) { __syncthreads(); tile[t] += tile[255 - t]; __syncthreads(); } END; }
// CHECK-LABEL: plan of wraps
// CHECK: no merge: blocks may come to a barrier on different ways
IS wraps(PARAMETERS) { START; unsigned first = n * blockIdx.x; for (unsigned k = first; k < first + n; k += 4) { __syncthreads(); tile[t] += tile[255 - t]; __syncthreads(); } END; }
// CHECK-LABEL: plan of counted
// CHECK: no merge: blocks may come to a barrier on different ways
IS counted(PARAMETERS, const int *__restrict__ m) { START; for (int k = 0; k < m[0]; k++) { __syncthreads(); tile[t] += tile[255 - t]; __syncthreads(); } END; }
// CHECK-LABEL: plan of talks
// CHECK: no merge: threads or blocks may communicate
IS talks(PARAMETERS, int *ticket) { START; __syncthreads(); if (t == 0) tile[0] = atomicAdd(ticket, 1); __syncthreads(); END; }
// CHECK-LABEL: plan of fenced
// CHECK: no merge: threads or blocks may communicate
IS fenced(PARAMETERS) { START; __threadfence(); __syncthreads(); END; }
// CHECK-LABEL: plan of clocked
// CHECK: no merge: threads or blocks may communicate
IS clocked(PARAMETERS) { START; __syncthreads(); int at; asm volatile("mov.u32 %0, %%clock;" : "=r"(at)); tile[t] += at; END; }
// CHECK-LABEL: plan of asks
// CHECK: no merge: where a thread is may be asked in a function or by another register
IS asks(PARAMETERS) { START; int block; asm("mov.u32 %0, %%ctaid.x;" : "=r"(block)); __syncthreads(); tile[t] += block; END; }
__device__ __noinline__ float other(float v) { return v * v; }
// CHECK-LABEL: plan of calls
// CHECK: no merge: {{threads or blocks may communicate|where a thread is may be asked in a function or by another register}}
IS calls(PARAMETERS) { START; __syncthreads(); tile[t] = other(tile[t]); END; }
// CHECK-LABEL: plan of variables
// CHECK: no merge: the kernel has shared or private arrays
IS variables(PARAMETERS) { START; float v[8]; for (int k = 0; k < 8; k++) v[k] = x[k * n]; __syncthreads(); tile[t] = v[n & 7]; END; }
// CHECK-LABEL: plan of large
// CHECK: no merge: the tiles do not fit
IS large(PARAMETERS) { __shared__ float tile[11000]; int t = threadIdx.x, i = blockIdx.x * 256 + t; for (int k = t; k < 11000; k += 256) tile[k] = x[i + k]; __syncthreads(); y[i] = tile[n]; }
// CHECK-LABEL: plan of carries
// CHECK: no merge: a loop carries a product into a sum
IS carries(PARAMETERS) { START; __syncthreads(); float s = 0; for (int k = 0; k < n; k++) s = (s + tile[k & 255]) * x[k]; y[i] = s; }
// CHECK-LABEL: plan of parts
// CHECK: merge 4x1x1 blocks
IS parts(PARAMETERS) { extern __shared__ float dynamic[]; int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; dynamic[t] = x[i]; __syncthreads(); y[i] = dynamic[blockDim.x - 1 - t]; }
// CHECK-LABEL: plan of many
// CHECK: merge 2x2x1 blocks
IS many(PARAMETERS) { __shared__ float tile[5000]; int t = threadIdx.x, i = blockIdx.x * 256 + t + blockIdx.y * n; for (int k = t; k < 5000; k += 256) tile[k] = x[i + k]; __syncthreads(); y[i] = tile[n]; }
