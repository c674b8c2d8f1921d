// Followers are launched, and end at once, where a grid may not have a whole last group: threads beyond the limit do something, there is none, or
// the kernel reads how many blocks there are.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;force;merge=1x4x1>,verify' -S %t.ll -o %t.own.ll
// RUN: %FileCheck %s < %t.own.ll
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.rdc.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;force;merge=1x4x1>,verify' -S %t.rdc.ll -o %t.rdc.own.ll
// RUN: %FileCheck %s -check-prefix=LINKED < %t.rdc.own.ll

// CHECK-LABEL: define {{.*}} @"whole$mesi$0"(
// CHECK: mesi.follow
extern "C" __global__ void whole(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * h + y] = in[y * w + x];
}

// Along x there is a limit, along y, where blocks are merged, there is none.
// CHECK-LABEL: define {{.*}} @"one_way$mesi$0"(
// CHECK: mesi.follow
extern "C" __global__ void one_way(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w)
        out[x * h + y] = in[y * w + x];
}

// CHECK-LABEL: define {{.*}} @"counted$mesi$0"(
// CHECK: mesi.follow
extern "C" __global__ void counted(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[x * h + y] = in[y * w + x] + gridDim.y;
}

// Several files may have it, and one's host may launch another's version: that tests itself, with the kernel's body behind it.
// LINKED-LABEL: define {{.*}}tests_itself{{.*}}mesi$0
// LINKED: mesi.follow
template <int N> __global__ void tests_itself(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[x * h + y] = in[y * w + x] + N;
}
template __global__ void tests_itself<3>(const float *in, float *out, int w, int h);
