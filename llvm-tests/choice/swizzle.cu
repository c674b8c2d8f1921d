// Words of a kernel's own shared arrays are permuted in a copy of the kernel, where threads side by side meet in a bank; the copy is planned in its
// place, and is a version as it is.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.own.ll && %FileCheck %s < %t.own.ll
// Without a host half versions go into the kernel itself, and it has no copy.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %not grep swizzled

// PLAN-LABEL: plan of transpose
// PLAN: swizzled: tile, words of 4 bytes, where 32 threads met in a bank
// PLAN: plan of transpose$mesi$copy
// PLAN: merge 2x4x1 blocks
// The row's number, in bytes of a word, is what is permuted by: of whichever index the row is.
// CHECK-LABEL: define {{.*}} @transpose(
// CHECK-NOT: xor
// CHECK-LABEL: define {{.*}} @"transpose$mesi$0"(
// CHECK: [[ROW:%.*]] = lshr {{.*}}i32 [[AT:%.*]], 5
// CHECK: [[BY:%.*]] = and i32 [[ROW]], 124
// CHECK: xor i32 {{%.*, %.*}}
extern "C" __global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

// Doubles, in rows of 16: two rows are 32 words. Updates count as accesses; an array of counters by their side that no
// column is read of stays.
// PLAN-LABEL: plan of columns
// PLAN: swizzled: rows, words of 8 bytes, where 16 threads met in a bank
// PLAN-NOT: counters
extern "C" __global__ void columns(const double *in, double *out, int *count)
{
    __shared__ double rows[16][16];
    __shared__ int counters[32];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 256 + ty * 16 + tx;
    rows[ty][tx] = in[i];
    if (ty < 2)
        counters[16 * ty + tx] = 0;
    __syncthreads();
    if (rows[tx][ty] > 0)
        atomicAdd(&counters[16 * (ty & 1) + tx], 1);
    __syncthreads();
    out[i] = rows[tx][ty];
    count[i] = counters[tx];
}
