// A thread's reductions of whole numbers are dealt out to the lanes of a warp: one version is launched with 32 threads for each of the program's.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// Pinned; a launch of which warps cannot take the threads' places runs the kernel.
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:squares=2 %t.exe | %FileCheck %s -check-prefix=PIN
// RUN: env MESI_CHOICE=pin:limited=2 %t.exe | %FileCheck %s -check-prefix=LIMITED
// RUN: env MESI_CHOICE=prior %t.exe | %FileCheck %s -check-prefix=PRIOR
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.split.ll && %FileCheck %s -check-prefix=CODE < %t.split.ll
// One version of it, whatever else there is, and none where code must stay short.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;kernels=1>' -S %t.ll | %FileCheck %s -check-prefix=ONE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;code=3>' -S %t.ll | %not grep shfl.sync
extern "C" int printf(const char *, ...);

// Neighbours of a row are iterations of one thread.
// REMARK: squares: its integer reductions are split: a warp for each thread, 1 loop with 1 accumulator
// PLAN-LABEL: plan of squares
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator
// GATE-LABEL: define zeroext i1 @"squares$mesi$1$fold$gate"
// GATE: ret i1
// ONE-DAG: define {{.*}} @"squares$mesi$0"
// CODE-LABEL: define {{.*}} @"squares$mesi$1"
// CODE-DAG: [[TID:%[0-9]+]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CODE-DAG: [[LANE:%[0-9]+]] = urem i32 [[TID]], 32
// CODE-DAG: [[FIRST:%[0-9]+]] = icmp eq i32 [[LANE]], 0
// CODE-DAG: udiv i32 {{%[0-9]+}}, 32
// What lane 0 alone does.
// CODE: br i1 [[FIRST]], label %[[ONCE:[a-z0-9]+]]
// CODE: [[ONCE]]:
// CODE-NEXT: store i32
// The parts begin with what changes nothing; each iteration is a lane's; the sum does not say any more that it does not wrap.
// CODE: = phi i32 [ 0, %first ], [ {{%[0-9]+}}, %before ]
// CODE: mul nuw nsw i32
// CODE-NEXT: [[SUM:%[0-9]+]] = add i32
// CODE-NEXT: add i32 {{%[0-9]+}}, 32
// CODE: phi i32 [ 0, %first ], [ [[SUM]], %before ]
// CODE: shfl.sync.bfly.i32(i32 -1, i32 {{%[0-9]+}}, i32 16, i32 31)
// CODE: shfl.sync.bfly.i32(i32 -1, i32 {{%[0-9]+}}, i32 8, i32 31)
// CODE: shfl.sync.bfly.i32(i32 -1, i32 {{%[0-9]+}}, i32 4, i32 31)
// CODE: shfl.sync.bfly.i32(i32 -1, i32 {{%[0-9]+}}, i32 2, i32 31)
// CODE: shfl.sync.bfly.i32(i32 -1, i32 {{%[0-9]+}}, i32 1, i32 31)
extern "C" __global__ void squares(const unsigned char *__restrict__ a, const short *__restrict__ at, int *__restrict__ s, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  int sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[i * n + at[k]] * a[k];
  s[i] = sum;
}

// A block may have 64 threads only.
// PLAN-LABEL: plan of limited
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator
extern "C" __global__ void __launch_bounds__(64) limited(const unsigned char *a, const short *at, int *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, most = -1;
  for (int k = 0; k < n; k++)
    most = max(most, a[i * n + at[k]]);
  s[i] = most;
}

// What is there already is loaded once, and added once; 64 bits are two shuffles; what may be read again is waited for.
// PLAN-LABEL: plan of kept
// PLAN: split: a warp for each thread, 2 loops with 2 accumulators
// CODE-LABEL: define {{.*}} @"kept$mesi${{[0-9]}}"
// CODE-DAG: shfl.sync.idx.i32(i32 -1, i32 {{%[0-9]+}}, i32 0, i32 31)
// CODE-DAG: bar.warp.sync(i32 -1)
// CODE-DAG: mul i64
// CODE-DAG: trunc i64
// CODE-DAG: shfl.sync.bfly.i32(i32 -1, i32 {{%[0-9]+}}, i32 16, i32 31)
extern "C" __global__ void kept(unsigned long long *s, const unsigned long long *a, size_t m, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < m) {
    unsigned long long product = s[i];
    for (size_t k = 0; k < n; k++)
      product *= a[i * n + k];
    s[i] = product;
    unsigned odd = 0;
    for (size_t k = n; k > 0; k--)
      odd += a[i * n + k - 1] & 1;
    s[i + m] = odd;
  }
}

// The innermost loop; rows by the grid's size; an update, which lane 0 makes.
// PLAN-LABEL: plan of inner
// PLAN: split: a warp for each thread, 1 loop with 2 accumulators
// CODE-LABEL: define {{.*}} @"inner$mesi${{[0-9]}}"
// CODE-DAG: sreg.nctaid.x
// CODE-DAG: atomicrmw max
extern "C" __global__ void inner(const int *a, int *most, int m, int n, int o) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x) {
    int sum = 0, low = 0x7fffffff;
    for (int j = 0; j < n; j++)
      for (int k = 0; k <= o; k += 3) {
        int v = a[(i * n + j) * o + k];
        if (v > 0)
          sum -= v;
        low = min(low, v);
      }
    atomicMax(most, sum ^ low);
  }
}

// A loop of a few iterations stays, the one around it is dealt out.
// PLAN-LABEL: plan of around
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator
extern "C" __global__ void around(const int *a, int *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int j = 0; j < n; j++)
#pragma clang loop unroll(disable)
    for (int k = 0; k < 7; k++)
      sum += a[(i * n + j) * 7 + k];
  s[i] = sum;
}

int main() {
  unsigned char *a = 0;
  const short *at = (const short *)(a + (1 << 28));
  int *s = (int *)(a + (1L << 32));
  // PIN: grid 4096 1 1 block 256 1 1 shared 0: squares$mesi$1
  // PRIOR: grid 128 1 1 block 256 1 1 shared 0: squares{{$}}
  squares<<<128, 256>>>(a, at, s, 1 << 15, 4096);
  // As large as the program's threads fill them.
  // PIN: grid 25 1 1 block 128 1 1 shared 0: squares$mesi$1
  squares<<<10, 10>>>(a, at, s, 1 << 15, 4096);
  // PIN: grid 7 1 1 block 32 1 1 shared 0: squares$mesi$1
  squares<<<1, 7>>>(a, at, s, 1 << 15, 4096);
  // Along y the launch stays what it is.
  // PIN: grid 16 3 2 block 256 1 1 shared 0: squares$mesi$1
  squares<<<dim3(1, 3, 2), 128>>>(a, at, s, 1 << 15, 4096);
  // Blocks of two dimensions, more threads than there are ids for, dynamic shared memory.
  // PIN: grid 128 1 1 block 16 16 1 shared 0: squares{{$}}
  squares<<<128, dim3(16, 16)>>>(a, at, s, 1 << 15, 4096);
  // PIN: grid 65536 1 1 block 1024 1 1 shared 0: squares{{$}}
  squares<<<1 << 16, 1024>>>(a, at, s, 1 << 15, 4096);
  // PIN: grid 128 1 1 block 256 1 1 shared 64: squares{{$}}
  squares<<<128, 256, 64>>>(a, at, s, 1 << 15, 4096);
  // LIMITED: grid 2048 1 1 block 64 1 1 shared 0: limited$mesi$1
  limited<<<128, 32>>>(a, at, s, 4096);
}
