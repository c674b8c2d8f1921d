// Kernels with barriers of which no blocks are merged, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// What is emitted tells that all parts together are too much: no such version is left.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.own.ll
// RUN: grep -q 'define.*@"yes$mesi$0"' %t.own.ll
// RUN: %not grep -E 'define.*@"many[$]mesi[$]1' %t.own.ll
// RUN: grep -q 'define.*@"_Z10everywhere.*[$]mesi[$]0"' %t.own.ll
// Nor is one in relocatable code that another file's host may launch, with the parts of dynamic shared memory of its own version.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.rdc.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -pass-remarks-analysis=mesi -S %t.rdc.ll -o %t.own.rdc.ll 2>&1 | %FileCheck %s -check-prefix=SAYS
// RUN: %not grep -E 'define.*@"_Z10everywhere.*[$]mesi[$]' %t.own.rdc.ll
// SAYS-DAG: no version of so many merged blocks: the parts of shared arrays that they need do not fit
// SAYS-DAG: no version of merged blocks: they need parts of dynamic shared memory, and other files may have this kernel, too
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
// A loop carries so many sums for each replica that a thread has no registers for two.
// CHECK-LABEL: plan of sums
// CHECK: no merge: a thread's registers would not hold all blocks' values
IS sums(PARAMETERS) { START; float v[72]; _Pragma("unroll") for (int k = 0; k < 72; k++) v[k] = 0; for (int r = 0; r < n; r++) { __syncthreads(); tile[t] = x[i + 256 * r]; __syncthreads(); _Pragma("unroll") for (int k = 0; k < 72; k++) v[k] += tile[k] * tile[(t + k) & 255]; } _Pragma("unroll") for (int k = 0; k < 72; k++) y[72 * i + k] = v[k]; }
// CHECK-LABEL: plan of large
// CHECK: no merge: the tiles do not fit
IS large(PARAMETERS) { __shared__ float tile[11000]; int t = threadIdx.x, i = blockIdx.x * 256 + t; for (int k = t; k < 11000; k += 256) tile[k] = x[i + k]; __syncthreads(); y[i] = tile[n]; }
// CHECK-LABEL: plan of carries
// CHECK: no merge: a loop carries a product into a sum
IS carries(PARAMETERS) { START; __syncthreads(); float s = 0; for (int k = 0; k < n; k++) s = (s + tile[k & 255]) * x[k]; y[i] = s; }
// What a thread has read before the barrier it needs behind it: of two blocks 64 registers hold it, of four not, or not of two.
#define HELD(count) START; float v[count], s = 0; _Pragma("unroll") for (int k = 0; k < count; k++) v[k] = x[i + k * n]; __syncthreads(); _Pragma("unroll") for (int k = 0; k < count; k++) s += v[k] * tile[k]; y[i] = s
// CHECK-LABEL: plan of held
// CHECK: merge 2x1x1 blocks
// CHECK-NOT: merge 4x1x1 blocks
IS held(PARAMETERS) { HELD(30); }
// CHECK-LABEL: plan of overflows
// CHECK: no merge: a thread's registers would not hold all blocks' values
IS overflows(PARAMETERS) { HELD(34); }
#define DYNAMIC(name) int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; name[t] = x[i]; __syncthreads(); y[i] = name[blockDim.x - 1 - t]
// Parts would begin at 16 bytes.
// CHECK-LABEL: plan of aligned
// CHECK: no merge: dynamic shared memory is aligned to more than 16 bytes
IS aligned(PARAMETERS) { extern __shared__ __align__(32) float wide[]; DYNAMIC(wide); }
// A version's launch has more of it than the kernel's.
// CHECK-LABEL: plan of sized
// CHECK: no merge: where a thread is may be asked in a function or by another register
IS sized(PARAMETERS) { extern __shared__ float dynamic[]; int size; asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size)); DYNAMIC(dynamic); y[i] += size; }
// CHECK-LABEL: plan of total
// CHECK: no merge: where a thread is may be asked in a function or by another register
IS total(PARAMETERS) { extern __shared__ float dynamic[]; int size; asm("mov.u32 %0, %%total_smem_size;" : "=r"(size)); DYNAMIC(dynamic); y[i] += size; }
// A replica would have the address of its part.
// CHECK-LABEL: plan of numbers
// CHECK: no merge: a shared array's address is used as a number
IS numbers(PARAMETERS) { START; __syncthreads(); tile[t] += (unsigned long)tile >> n & 15; END; }
// CHECK-LABEL: plan of dynamic_numbers
// CHECK: no merge: a shared array's address is used as a number
IS dynamic_numbers(PARAMETERS) { extern __shared__ float dynamic[]; DYNAMIC(dynamic); y[i] += (unsigned)__cvta_generic_to_shared(dynamic); }
// CHECK-LABEL: plan of many
// CHECK: merge 2x2x1 blocks
IS many(PARAMETERS) { __shared__ float tile[5000]; int t = threadIdx.x, i = blockIdx.x * 256 + t + blockIdx.y * n; for (int k = t; k < 5000; k += 256) tile[k] = x[i + k]; __syncthreads(); y[i] = tile[n]; }
template <typename T> __global__ void everywhere(const T *__restrict__ x, T *__restrict__ y) { extern __shared__ float dynamic[]; DYNAMIC(dynamic); }
template __global__ void everywhere(const float *__restrict__ x, float *__restrict__ y);
