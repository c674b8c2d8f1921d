// What all accesses of one array touch is asked to be apart from what all of another do, once for the two, however many accesses there are.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// PLAN: spread: a thread for each of
// CHECK-LABEL: define zeroext i1 @"records$mesi$0$gate"(
// CHECK-COUNT-20: icmp sle
// CHECK-NOT: icmp sle
// CHECK-LABEL: define zeroext i1 @"records$mesi$0$pays$gate"(
extern "C" __global__ void records(const int *in, int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
#pragma unroll
        for (int k = 0; k < 8; k++)
            out[8 * i + k] = in[8 * i + (k ^ 1)] * k;
}
