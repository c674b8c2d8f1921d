// Where each block counts its own first, updates of integers come in any order, and blocks are larger (reshape.cu).
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// PLAN-LABEL: plan of _Z5countPKiPj
// PLAN: all blocks in steps
// PLAN: launched by the host in blocks of 1024 threads in place of 1 to 512
__global__ void count(const int *x, unsigned *counts) { atomicAdd(counts + (x[blockIdx.x * blockDim.x + threadIdx.x] & 63), 1u); }
