// A kernel that may need more registers than blocks of 1024 threads leave has versions as kernels of their own, with what blocks of 512
// leave: the host launches them in no larger ones.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own;force>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;force>' -S %t.ll -o %t.own.ll && %FileCheck %s < %t.own.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off;force>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// PLAN-LABEL: plan of many
// PLAN: region0: node{{[0-9]+}} loop0 in strips of 32
// GATE: define zeroext i1 @"many$mesi$0$gate"(
// GATE: icmp sle i64 {{.*}}, 512
// CHECK: define {{.*}} @"many$mesi$0"({{.*}} [[OWN:#[0-9]+]]
// CHECK: attributes [[OWN]] = { {{.*}}"nvvm.maxnreg"="128"
template <int N> __device__ void sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    float sum[N];
#pragma unroll
    for (int j = 0; j < N; j++)
        sum[j] = 0;
    for (int k = 0; k < n; k++) {
        float v = x[k];
#pragma unroll
        for (int j = 0; j < N; j++)
            sum[j] += v * (j + 2);
    }
#pragma unroll
    for (int j = 0; j < N; j++)
        y[j * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x] = sum[j];
}
extern "C" __global__ void many(const float *__restrict__ x, float *__restrict__ y, int n) { sums<60>(x, y, n); }
