// A guard in front of barriers is left out of a copy whose versions are for grids of which all threads go on: its blocks are merged, and the
// host asks the guard of the whole grid, of the program's own blocks.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.own.ll && %FileCheck %s < %t.own.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// Without a host half nobody could ask, and the kernel has no copy.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %not grep 'guards met'

#define T 16
// PLAN-LABEL: plan of wrapped
// PLAN: no merge: blocks may come to a barrier on different ways
// PLAN: guards met: 1 guard is left out in front of barriers, for grids of which all threads go on
// PLAN: plan of wrapped$mesi$copy
// PLAN: merge 2x4x1 blocks
// n - 1 - (ntid.y - 1) - 16 * (nctaid.y - 1) is not negative, and so along x: no block more, though four are merged.
// GATE-LABEL: define zeroext i1 @"wrapped$mesi$0$gate"(
// GATE: [[N:%.*]] = sext i32 {{.*}} to i64
// GATE: [[LAST:%.*]] = add i64 -1, [[N]]
// GATE: [[TY:%.*]] = sub i64 {{%.*}}, 1
// GATE: [[LESS:%.*]] = mul i64 -1, [[TY]]
// GATE: [[LEFT:%.*]] = add i64 [[LAST]], [[LESS]]
// GATE: [[BY:%.*]] = sub i64 {{%.*}}, 1
// GATE: [[ALL:%.*]] = mul i64 -16, [[BY]]
// GATE: [[REST:%.*]] = add i64 [[LEFT]], [[ALL]]
// GATE: icmp sle i64 0, [[REST]]
// CHECK-LABEL: define {{.*}} @wrapped(
// CHECK: br i1
// CHECK-NOT: mesi.met
// CHECK-LABEL: define {{.*}} @"wrapped$mesi$0"(
// CHECK-NOT: llvm.assume(i1
// CHECK: call void @llvm.nvvm.barrier
extern "C" __global__ void wrapped(const float *A, const float *B, float *C, int n)
{
    __shared__ float as[T][T], bs[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0;
        for (int k = 0; k < n / T; k++) {
            as[threadIdx.y][threadIdx.x] = A[row * n + k * T + threadIdx.x];
            bs[threadIdx.y][threadIdx.x] = B[(k * T + threadIdx.y) * n + col];
            __syncthreads();
            for (int j = 0; j < T; j++)
                sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
            __syncthreads();
        }
        C[row * n + col] = sum;
    }
}

// An early return, of global ids, and a second one behind it; whether there is anything to do at all no thread's number changes.
// PLAN-LABEL: plan of early
// PLAN: guards met: 2 guards are left out in front of barriers, for grids of which all threads go on
// PLAN: plan of early$mesi$copy
// PLAN: merge 2x4x1 blocks
// GATE-LABEL: define zeroext i1 @"early$mesi$0$gate"(
// GATE: icmp sle i64 0,
// GATE: icmp sle i64 0,
extern "C" __global__ void early(const float *x, float *y, int w, int h)
{
    __shared__ float tile[T][T];
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= w)
        return;
    y[w * h + i] = 1;
    if (j >= h)
        return;
    tile[threadIdx.y][threadIdx.x] = x[j * w + i];
    __syncthreads();
    y[j * w + i] = tile[threadIdx.y ^ 1][threadIdx.x];
}
