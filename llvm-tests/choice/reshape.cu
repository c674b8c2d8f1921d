// The host deals a launch's threads out to blocks of another size, where nobody can tell which block a thread is in.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// RUN: env MESI_CHOICE=pin:_Z4mostPff=3 %t.exe | %FileCheck %s -check-prefix=MOST
// RUN: env MESI_CHOICE=pin:_Z5scalePff=3 %t.exe | %FileCheck %s -check-prefix=SCALE
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: grep -qE "remark: (rows|wide): .*may launch it in blocks" %t.remarks && %not grep -qE "remark: (no_(sum|ticket|block|thread|size|bases|grid|shared|shuffle|others|volatile|fence|lane|asm|function|id)|bounded): .*may launch it in blocks" %t.remarks
// The plan says so, too.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// Asked not to, and where no launch asks, every launch is the program's own.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -mllvm -mesi-reshape=off -c %s -o %t.off.o && %clang %t.off.o %t.runtime.o -o %t.off.exe && env MESI_CHOICE=prior %t.off.exe | %FileCheck %s -check-prefix=OFF
// OFF: grid 32 1 1 block 256 1 1 shared 0: _Z4rowsPKfPfii
// OFF: grid 32 1 1 block 256 1 1 shared 0: _Z4widePKfPfmm
// OFF-NEXT: grid 65536 1 1 block 64 1 1
// Images for several chips must agree on what the kernel tells, and on which threads are of use: else they come of different sources.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.two.o && %clang %t.two.o %t.runtime.o -o %t.two.exe && env MESI_CHOICE=prior %t.two.exe | %FileCheck %s -check-prefixes=TWO,SAME
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -DAPART -c %s -o %t.apart.o && %clang %t.apart.o %t.runtime.o -o %t.apart.exe && env MESI_CHOICE=prior %t.apart.exe | %FileCheck %s -check-prefixes=TWO,APART
// TWO: grid 256 1 1 block 32 1 1 shared 0: _Z4rowsPKfPfii{{([$]mesi[$][0-9])?$}}
// SAME: grid 83 1 1 block 32 1 1 shared 0: _Z5limitPKfPfiii
// APART: grid 33 1 1 block 80 1 1 shared 0: _Z5limitPKfPfiii
// SAME: grid 83 1 1 block 32 1 1 shared 0: _Z5placePKfPfii
// APART: grid 33 1 1 block 80 1 1 shared 0: _Z5placePKfPfii
// And on how many threads a block may have.
// RUN: env MESI_CHOICE=pin:_Z4mostPff=3 %t.two.exe | %FileCheck %s -check-prefix=MOST
// RUN: env MESI_CHOICE=pin:_Z4mostPff=3 %t.apart.exe | %FileCheck %s -check-prefix=FEWER
// FEWER: grid 4096 1 1 block 128 1 1 shared 0: _Z4mostPff{{$}}
// On chips of fewer multiprocessors a grid of as many threads is no small one.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_87 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.few.o 2>&1 | %FileCheck %s -check-prefix=FEW
// FEW: rows{{.*}}: host code that is compiled with mesi may launch it in blocks of 32 threads in place of 33 to 1024 in grids of 1 to 16384 threads

// REMARK: rows{{.*}}: host code that is compiled with mesi may launch it in blocks of 32 threads in place of 33 to 1024 in grids of 1 to 135168 threads
// REMARK: rows{{.*}}: host code that is compiled with mesi may launch it in blocks of 256 threads in place of 257 to 1024
// PLAN-LABEL: plan of _Z4rowsPKfPfii
// PLAN: launched by the host in blocks of 32 threads in place of 33 to 1024 in grids of 1 to 135168 threads
// PLAN-NEXT: launched by the host in blocks of 256 threads in place of 257 to 1024{{$}}
// PLAN-NEXT: launched by the host in blocks of 256 threads in place of 1 to 128 in grids of 4096 blocks and more
// PLAN-NEXT: threads of use there: id < v2{{$}}
__global__ void rows(const float *a, float *sums, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
// Ids of 64 bits are the same ids.
// PLAN-LABEL: plan of _Z4widePKfPfmm
// PLAN: launched by the host in blocks of 32 threads
// PLAN: threads of use there: id < v2, unsigned
__global__ void wide(const float *a, float *sums, size_t m, size_t n) {
  size_t row = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (row >= m)
    return;
  float s = 0;
  for (size_t i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
struct Sizes {
  int columns, rows;
};
// PLAN-LABEL: plan of _Z4bothPf5Sizesi
// PLAN: threads of use there: id < v
__global__ void both(float *a, Sizes sizes, int n) {
  int row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < sizes.columns && row < sizes.rows) {
    float s = 0;
    for (int i = 0; i < n; i++)
      s += a[(column * sizes.rows + row) * n + i];
    a[(column * sizes.rows + row) * n] = s;
  }
}
// PLAN-LABEL: plan of _Z4lastPKfPfii
// PLAN: threads of use there: id <= v2{{$}}
__global__ void last(const float *a, float *sums, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row > m)
    return;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
// What lies in memory the host cannot tell, and what a thread reads first it might not read.
// PLAN-LABEL: plan of _Z8no_limitPKfPfPKii
// PLAN: launched by the host in blocks of 64
// PLAN-NOT: threads of use
__global__ void no_limit(const float *a, float *sums, const int *m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= *m)
    return;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
// Blocks of more rows than there is room for.
// PLAN-LABEL: plan of _Z7productPKfS0_Pfiii
// PLAN: launched by the host in blocks of 256 threads in place of more in rows of 16 to 32
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}
// A row of the block is told, so blocks keep their rows; along x it is not.
// PLAN-LABEL: plan of _Z5no_upPKfS0_Pfiii
// PLAN: launched by the host in blocks of 64 threads
// PLAN-NOT: in rows of
__global__ void no_up(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}
#if defined(APART) && __CUDA_ARCH__ == 800
#define ON_ONE(a, b) a
#else
#define ON_ONE(a, b) b
#endif
// PLAN-LABEL: plan of _Z5limitPKfPfiii
// PLAN: launched by the host in blocks of 32
__global__ void limit(const float *a, float *sums, int m, int other, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= ON_ONE(other, m))
    return;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
// PLAN-LABEL: plan of _Z5placePKfPfii
// PLAN: launched by the host in blocks of 32
__global__ void place(const float *a, float *sums, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  float s = ON_ONE(blockIdx.x, 0);
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
// Straight code, whose blocks take as long to start.
// PLAN-LABEL: plan of _Z5scalePff
// PLAN-NOT: launched by the host in blocks of 64
// PLAN: launched by the host in blocks of 256 threads in place of 1 to 128 in grids of 4096 blocks and more
// PLAN-NOT: launched by
__global__ void scale(float *x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
// Nothing is done for this one, but it may run in other blocks.
// PLAN-LABEL: plan of _Z7scatterPKfPKiPf
// PLAN: launched by the host in blocks of 256 threads in place of 257 to 1024
__global__ void scatter(const float *x, const int *where, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (where[i] >= 0)
    y[where[i]] = x[i] + y[where[i]];
}
// A limit that larger blocks would exceed.
// PLAN-LABEL: plan of _Z7boundedPff
// PLAN-NOT: launched by
__global__ void __launch_bounds__(128) bounded(float *x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
// PLAN-LABEL: plan of _Z4mostPff
// PLAN: launched by the host in blocks of 256 threads in place of 1 to 128
__global__ void __launch_bounds__(ON_ONE(128, 1024)) most(float *x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] *= by; }

__device__ __noinline__ int block() { return blockIdx.x; }
// Refused. Sums of real numbers that depend on the order:
// PLAN-LABEL: plan of _Z6no_sumPKfPf
// PLAN-NOT: launched by
__global__ void no_sum(const float *x, float *sum) { atomicAdd(sum, x[blockIdx.x * blockDim.x + threadIdx.x]); }
// outcomes that say who came first:
// PLAN-LABEL: plan of _Z9no_ticketPjS_
// PLAN-NOT: launched by
__global__ void no_ticket(unsigned *next, unsigned *mine) { mine[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(next, 1u); }
// a block's number, or a thread's, or how many threads a block has, or how many blocks there are, by themselves:
// PLAN-LABEL: plan of _Z8no_blockPf
// PLAN-NOT: launched by
__global__ void no_block(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }
// PLAN-LABEL: plan of _Z9no_threadPf
// PLAN-NOT: launched by
__global__ void no_thread(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }
// PLAN-LABEL: plan of _Z7no_sizePf
// PLAN-NOT: launched by
__global__ void no_size(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = blockDim.x; }
// PLAN-LABEL: plan of _Z8no_basesPfi
// PLAN-NOT: launched by
__global__ void no_bases(float *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] = n * blockDim.x; }
// PLAN-LABEL: plan of _Z7no_gridPf
// PLAN-NOT: launched by
__global__ void no_grid(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = gridDim.x; }
// threads that communicate:
// PLAN-LABEL: plan of _Z9no_sharedPf
// PLAN-NOT: launched by
__global__ void no_shared(float *x) {
  __shared__ float own[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  own[i & 255] = x[i];
  __syncthreads();
  x[i] = own[(i + 1) & 255];
}
// PLAN-LABEL: plan of _Z10no_shufflePf
// PLAN-NOT: launched by
__global__ void no_shuffle(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += __shfl_down_sync(~0u, x[i], 1);
}
// clang calls it convergent, as all assembly, and says no more:
// PLAN-LABEL: plan of _Z9no_othersPf
// PLAN-NOT: launched by
__global__ void no_others(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float other;
  asm("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=f"(other) : "f"(x[i]));
  x[i] += other;
}
// PLAN-LABEL: plan of _Z11no_volatilePVf
// PLAN-NOT: launched by
__global__ void no_volatile(volatile float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
// PLAN-LABEL: plan of _Z8no_fencePf
// PLAN-NOT: launched by
__global__ void no_fence(float *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
}
// other ways to learn where a thread is:
// PLAN-LABEL: plan of _Z7no_lanePj
// PLAN-NOT: launched by
__global__ void no_lane(unsigned *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = __nvvm_read_ptx_sreg_laneid(); }
// PLAN-LABEL: plan of _Z6no_asmPj
// PLAN-NOT: launched by
__global__ void no_asm(unsigned *x) {
  unsigned where;
  asm("mov.u32 %0, %%warpid;" : "=r"(where));
  x[blockIdx.x * blockDim.x + threadIdx.x] = where;
}
// PLAN-LABEL: plan of _Z11no_functionPKfPfi
// PLAN-NOT: launched by
__global__ void no_function(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = block();
  for (int k = 0; k < n; k++)
    s += x[i * n + k];
  y[i] = s;
}
// no id along x at all:
// PLAN-LABEL: plan of _Z5no_idPf
// PLAN-NOT: launched by
__global__ void no_id(float *x) { x[blockIdx.y] = 1; }

int main() {
  float *p = (float *)0x7f0000000000, *q = p + (1 << 28);
  // CHECK: grid 256 1 1 block 32 1 1 shared 0: _Z4rowsPKfPfii{{([$]mesi[$][0-9])?$}}
  rows<<<32, 256>>>(p, q, 8192, 8192);
  // The last grid that is a small one, and the first that is none.
  // CHECK: grid 4224 1 1 block 32 1 1
  rows<<<528, 256>>>(p, q, 135168, 512);
  // CHECK: grid 529 1 1 block 256 1 1
  rows<<<529, 256>>>(p, q, 135168, 512);
  // However few they are.
  // CHECK: grid 16 1 1 block 32 1 1
  rows<<<2, 256>>>(p, q, 512, 512);
  // CHECK: grid 12 1 1 block 32 1 1
  rows<<<3, 128>>>(p, q, 384, 512);
  // Each slice of a grid is dealt out by itself.
  // CHECK: grid 32 4 2 block 32 1 1
  rows<<<dim3(4, 4, 2), 256>>>(p, q, 1024, 512);
  // CHECK: grid 4096 1 1 block 256 1 1
  rows<<<1024, 1024>>>(p, q, 1 << 20, 512);
  // Blocks of several rows get fewer, if they have more than there is room for, the rows are such as warps like, and the grid can have as many.
  // CHECK: grid 16 64 1 block 32 8 1
  product<<<dim3(64, 64), dim3(32, 32)>>>(p, q, p, 2048, 2048, 2048);
  // CHECK: grid 16 32 2 block 16 16 1
  product<<<dim3(64, 64, 2), dim3(16, 32)>>>(p, q, p, 2048, 1024, 2048);
  // CHECK: grid 16 16 1 block 16 16 1
  product<<<dim3(64, 64), dim3(16, 16)>>>(p, q, p, 1024, 1024, 2048);
  // CHECK: grid 64 64 1 block 64 16 1
  product<<<dim3(64, 64), dim3(64, 16)>>>(p, q, p, 1024, 4096, 2048);
  // CHECK: grid 16 9 1 block 32 8 1
  product<<<dim3(64, 32), dim3(32, 9)>>>(p, q, p, 288, 2048, 2048);
  // CHECK: grid 64 7 1 block 32 9 1
  product<<<dim3(64, 7), dim3(32, 9)>>>(p, q, p, 63, 2048, 2048);
  // CHECK: grid 1 16383 1 block 32 8 1
  product<<<dim3(1, 16383), dim3(32, 32)>>>(p, q, p, 524256, 32, 2048);
  // More than half of it beyond the rows that there are: the model, which takes all threads to work, is sure of nothing.
  // CHECK: grid 1 16383 1 block 32 32 1
  product<<<dim3(1, 16383), dim3(32, 32)>>>(p, q, p, 262112, 32, 2048);
  // CHECK: grid 1 16384 1 block 32 32 1
  product<<<dim3(1, 16384), dim3(32, 32)>>>(p, q, p, 63, 2048, 2048);
  // What asks for shared memory keeps its blocks, and runs the original where tiles leave none; so do other blocks of several rows.
  // CHECK: grid 32 1 1 block 256 1 1 shared 16: _Z4rowsPKfPfii{{$}}
  rows<<<32, 256, 16>>>(p, q, 8192, 8192);
  // CHECK: grid 32 1 1 block 128 2 1
  rows<<<32, dim3(128, 2)>>>(p, q, 4096, 8192);
  // Blocks that the new ones do not divide: as many threads, or more that the kernel ends at once, whose ids lie beyond its limit.
  // CHECK: grid 80 1 1 block 32 1 1
  rows<<<32, 80>>>(p, q, 2560, 8192);
  // CHECK: grid 83 1 1 block 32 1 1
  rows<<<33, 80>>>(p, q, 2640, 8192);
  // CHECK: grid 33 1 1 block 80 1 1
  rows<<<33, 80>>>(p, q, 2641, 8192);
  // Of threads that all lie beyond their limit the model is sure of nothing.
  // CHECK: grid 33 1 1 block 80 1 1
  rows<<<33, 80>>>(p, q, -1, 8192);
  // CHECK: grid 83 1 1 block 32 1 1
  wide<<<33, 80>>>(p, q, 2640, 8192);
  // CHECK: grid 33 1 1 block 80 1 1
  wide<<<33, 80>>>(p, q, size_t(-1), 8192);
  // Both limits must be met; the one along x is looked at.
  // CHECK: grid 83 8 1 block 32 1 1
  both<<<dim3(33, 8), 80>>>(p, Sizes{2640, 1000}, 64);
  // CHECK: grid 33 8 1 block 80 1 1
  both<<<dim3(33, 8), 80>>>(p, Sizes{2641, 8}, 64);
  // A limit that is met, too.
  // CHECK: grid 83 1 1 block 32 1 1
  last<<<33, 80>>>(p, q, 2639, 64);
  // CHECK: grid 33 1 1 block 80 1 1
  last<<<33, 80>>>(p, q, 2640, 64);
  // CHECK: grid 33 1 1 block 80 1 1
  no_limit<<<33, 80>>>(p, q, (int *)p, 64);
  // CHECK: grid 64 1 1 block 32 1 1
  rows<<<64, 32>>>(p, q, 2048, 8192);
  // CHECK: grid 256 1 1 block 32 1 1
  wide<<<32, 256>>>(p, q, 8192, 8192);
  // SCALE: grid 16384 1 1 block 256 1 1 shared 0: _Z5scalePff$mesi$0{{$}}
  scale<<<65536, 64>>>(p, 2);
  // CHECK: grid 65536 1 1 block 64 1 1 shared 0: _Z7scatterPKfPKiPf{{([$]mesi[$][0-9])?$}}
  scatter<<<65536, 64>>>(p, (const int *)q, p);
  // SCALE: grid 2048 1 1 block 256 1 1 shared 0: _Z5scalePff$mesi$0{{$}}
  scale<<<4096, 128>>>(p, 2);
  // Too few to matter, and not a whole number of larger ones.
  // CHECK: grid 4095 1 1 block 128 1 1
  scale<<<4095, 128>>>(p, 2);
  // CHECK: grid 65537 1 1 block 64 1 1
  scale<<<65537, 64>>>(p, 2);
  // SCALE: grid 12288 1 1 block 256 1 1 shared 0: _Z5scalePff$mesi$0{{$}}
  scale<<<65536, 48>>>(p, 2);
  // CHECK: grid 65536 1 1 block 64 1 1 shared 0: _Z7boundedPff{{([$]mesi[$][0-9])?$}}
  bounded<<<65536, 64>>>(p, 2);
  // CHECK: grid 65536 1 1 block 64 1 1 shared 0: _Z6no_sumPKfPf{{([$]mesi[$][0-9])?$}}
  no_sum<<<65536, 64>>>(p, q);
  // CHECK: grid 83 1 1 block 32 1 1 shared 0: _Z5limitPKfPfiii
  limit<<<33, 80>>>(p, q, 2640, 2640, 512);
  // CHECK: grid 83 1 1 block 32 1 1 shared 0: _Z5placePKfPfii
  place<<<33, 80>>>(p, q, 2640, 512);
  // MOST: grid 2048 1 1 block 256 1 1 shared 0: _Z4mostPff$mesi$0{{$}}
  most<<<4096, 128>>>(p, 2);
  // Nothing wraps: more threads than an index of 32 bits counts.
  // CHECK: grid 536870912 1 1 block 4 1 1
  scale<<<536870912, 4>>>(p, 2);
  // CHECK: grid 0 1 1 block 0 1 1
  scale<<<0, 0>>>(p, 2);
}
