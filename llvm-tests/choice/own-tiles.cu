// Blocks of kernels with shared arrays and barriers of their own are merged: an array has a part for each replica that differs, and replicas meet at one barrier.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.own.ll && %FileCheck %s < %t.own.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;merge=1x4x1>' -S %t.ll | %FileCheck %s -check-prefix=COLUMN
// A kernel that holds its version itself keeps one form of its arrays.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<disable=off>' -S %t.ll | %not grep -E "parts|mesi.slow|dynamic_smem"
#define T 16
// Rows of a differ along y, columns of b along x: 2x4 blocks have 4 parts of one and 2 of the other.
// PLAN-LABEL: plan of product
// PLAN: merge 2x4x1 blocks
// PLAN-NEXT: nothing staged: 16 loads of all replicas, 16 addresses; own barriers
// PLAN: whole: merge 4x4x1 blocks
// PLAN: whole: merge 1x4x1 blocks
// CHECK-DAG: @"product$mesi$0$parts{{[01]}}$4096" = internal {{.*}}addrspace(3) global [4096 x i8]
// CHECK-DAG: @"product$mesi$0$parts{{[01]}}$2048" = internal {{.*}}addrspace(3) global [2048 x i8]
// CHECK-LABEL: define {{.*}} @product(
// CHECK-COUNT-2: call void @llvm.nvvm.barrier.cta.sync
// CHECK-NOT: call void @llvm.nvvm.barrier.cta.sync
// CHECK-LABEL: define {{.*}} @walk(
// One barrier for all replicas behind their stores to the tiles, one behind their products. At the grid's end, block by
// block, the original's two and one before the next block stores. Two more in the body as it was.
// CHECK-LABEL: define {{.*}} @"product$mesi$0"(
// CHECK-COUNT-7: call void @llvm.nvvm.barrier.cta.sync
// CHECK-NOT: call void @llvm.nvvm.barrier.cta.sync
// CHECK-LABEL: define {{.*}} @"product$mesi$1"(
// Along y only rows differ: one part of the other array, stored to once.
// COLUMN: @"product$mesi$0$parts{{[01]}}$4096" = internal
// COLUMN-NOT: @"product$mesi$0$parts{{.*}} = internal
extern "C" __global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float as[T][T], bs[T][T];
  int col = blockIdx.x * T + threadIdx.x, row = blockIdx.y * T + threadIdx.y;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += T) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k0 + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k0 + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < T; k++)
      sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
// Where a walk ends hangs on where it begins: all blocks' are as long.
// PLAN-LABEL: plan of walk
// PLAN: merge 2x4x1 blocks
// CHECK-LABEL: define {{.*}} @"walk$mesi$0"(
// CHECK-COUNT-7: call void @llvm.nvvm.barrier.cta.sync
// CHECK-NOT: call void @llvm.nvvm.barrier.cta.sync
// CHECK-LABEL: define {{.*}} @"walk$mesi$1"(
extern "C" __global__ void walk(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float as[T][T], bs[T][T];
  int x = threadIdx.x, y = threadIdx.y, first = n * T * (int)blockIdx.y, last = first + n - 1;
  float sum = 0;
  for (int p = first, q = T * blockIdx.x; p <= last; p += T, q += T * n) {
    as[y][x] = a[p + n * y + x];
    bs[y][x] = b[q + n * y + x];
    __syncthreads();
    for (int k = 0; k < T; k++)
      sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[(T * blockIdx.y + y) * n + T * blockIdx.x + x] = sum;
}
// Replicas that disagree about a guard take it one by one, and meet at the barrier behind it.
// PLAN-LABEL: plan of turned
// PLAN: merge 2x4x1 blocks
// CHECK-LABEL: define {{.*}} @"turned$mesi$0"(
// CHECK: mesi.each:
// CHECK: barrier.cta.sync.all(i32 0)
extern "C" __global__ void turned(const float *__restrict__ x, float *__restrict__ y, int w, int h) {
  __shared__ float tile[T][T + 1];
  int col = blockIdx.x * T + threadIdx.x, row = blockIdx.y * T + threadIdx.y;
  if (col < w && row < h)
    tile[threadIdx.y][threadIdx.x] = x[row * w + col];
  __nvvm_barrier_sync(0);
  col = blockIdx.y * T + threadIdx.x, row = blockIdx.x * T + threadIdx.y;
  if (col < h && row < w)
    y[row * h + col] = tile[threadIdx.x][threadIdx.y];
}
// Loops that count in other ways than by adding are all blocks' too; along x alone, 4 and 2 blocks.
// PLAN-LABEL: plan of sums
// PLAN: merge 4x1x1 blocks
// PLAN: whole: merge 2x1x1 blocks
extern "C" __global__ void sums(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int part[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = part[0];
}
// What nobody asks of cooperative_groups, and what threads of a warp exchange: neither tells of a block.
// PLAN-LABEL: plan of warps
// PLAN: merge 4x1x1 blocks
extern "C" __global__ void warps(const int *__restrict__ x, int *__restrict__ y) {
  unsigned long at;
  asm("{ .reg .u32 start; mov.u32 start, %%reserved_smem_offset_1; cvt.u64.u32 %0, start; }" : "=l"(at));
  int sum = x[blockIdx.x * 32 + threadIdx.x];
  for (int s = 16; s > 0; s /= 2) {
    int other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(sum), "r"(s));
    sum += other;
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}
// Threads of a warp come to what they do together in one order: no branch tells them apart by what their replicas do.
// CHECK-LABEL: define {{.*}} @"guarded_warps$mesi$0"(
// CHECK: mesi.fast:
// CHECK-NOT: mesi.each
// CHECK-LABEL: define {{.*}} @"guarded_warps$mesi$1"(
extern "C" __global__ void guarded_warps(const int *__restrict__ x, int *__restrict__ y, int n) {
  int i = blockIdx.x * 32 + threadIdx.x, v = x[i];
  if (v < n) {
    v += __shfl_xor_sync(__activemask(), v, 1);
    v += __shfl_xor_sync(__activemask(), v, 2);
  }
  y[i] = v;
}
// The same where a warp's threads count on each other without a barrier.
// CHECK-LABEL: define {{.*}} @"counting$mesi$0"(
// CHECK: mesi.fast:
// CHECK-NOT: mesi.each
// CHECK-LABEL: define {{.*}} @"counting$mesi$1"(
extern "C" __global__ void counting(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ volatile int part[64];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  part[t] = x[i];
  part[t + 32] = 0;
  __syncthreads();
  if (i < n) {
    part[t] = part[t] + part[t + 2];
    part[t] = part[t] + part[t + 1];
  }
  y[i] = part[t];
}
// Dynamic shared memory that holds the same for all blocks is one for all replicas.
// PLAN-LABEL: plan of around
// PLAN: not staged: DynamicShared
// PLAN: merge 4x1x1 blocks
// CHECK-LABEL: define {{.*}} @"around$mesi$0"(
// CHECK: mesi.fast:
extern "C" __global__ void around(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float every[];
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    every[k] = x[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += (every[k] - x[i]) * every[k];
  y[i] = sum;
}
// Dynamic shared memory is one piece, whatever it is called: rows of one array differ along y, columns of the other along x, so there
// are 8 parts of what the launch has. The record tells how many; where one is enough for all, none.
// PLAN-LABEL: plan of dynamic
// PLAN: merge 2x4x1 blocks
// CHECK-LABEL: define {{.*}} @"dynamic$mesi$0"(
// CHECK: mesi.fast:
// CHECK: [[ALL:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
// CHECK-NEXT: [[PART:%.*]] = udiv i32 [[ALL]], 8
// CHECK-NEXT: [[ROUND:%.*]] = and i32 [[PART]], -16
// CHECK-NEXT: [[WIDE:%.*]] = zext i32 [[ROUND]] to i64
// CHECK-NEXT: [[AT:%.*]] = mul i64 [[WIDE]], 1
// CHECK-NEXT: getelementptr inbounds i8, ptr {{.*}}@{{rows|columns}}{{.*}}, i64 [[AT]]
// CHECK-LABEL: define {{.*}} @"dynamic$mesi$1"(
// RUN: grep -q 'MESIGATE.*\\08\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00dynamic[$]mesi[$]0BC' %t.own.ll
// RUN: grep -q 'MESIGATE.*\\04\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00dynamic[$]mesi[$]2BC' %t.own.ll
// RUN: grep -q 'MESIGATE.*\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00around[$]mesi[$]0BC' %t.own.ll
extern __shared__ float rows[];
extern __shared__ float4 columns[];
extern "C" __global__ void dynamic(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  int t = blockDim.x, x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * t + x, row = blockIdx.y * t + y;
  float sum = 0, *bs = (float *)columns + t * t;
  for (int k0 = 0; k0 < n; k0 += t) {
    rows[y * t + x] = a[row * n + k0 + x];
    bs[y * t + x] = b[(k0 + y) * n + col];
    __syncthreads();
    for (int k = 0; k < t; k++)
      sum += rows[y * t + k] * bs[k * t + x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
// Which layer of the grid a block is in is the same for merged ones: they end together, or come to the barrier together.
// PLAN-LABEL: plan of layers
// PLAN: merge 2x4x1 blocks
extern "C" __global__ void layers(const float *__restrict__ x, float *__restrict__ y, int n, int batch) {
  __shared__ float row[256];
  if (blockIdx.z >= batch)
    return;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  row[threadIdx.x] = x[blockIdx.z * n + i];
  __syncthreads();
  y[blockIdx.z * n + i] = row[threadIdx.x ^ 1] + row[threadIdx.x ^ 2];
}
