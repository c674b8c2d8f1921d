// Of merged blocks none but leaders is launched where the kernel ends threads beyond a limit at once: a launched block reads the numbers of its
// group's first one, no block ends as another's follower, and the host is asked whether all threads below the limit are there.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;merge=1x4x1>,verify' -S %t.ll -o %t.own.ll
// RUN: %FileCheck %s < %t.own.ll

// The record's last number: one block along x, 4 along y.
// CHECK: @"transpose$mesi$0$gate" = {{.*}}c"MESIGATE{{.*}}\01\04\01\00transpose$mesi$0BC
// CHECK: @"inner$mesi$0$gate" = {{.*}}c"MESIGATE{{.*}}\01\04\01\00inner$mesi$0BC
// CHECK-LABEL: define {{.*}} @"transpose$mesi$0"(
// CHECK: [[BLOCK:%.*]] = {{.*}}call{{.*}} i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
// CHECK-NEXT: mul nsw i32 [[BLOCK]], 4
// CHECK-NOT: mesi.follow
// CHECK-NOT: sreg.nctaid.y
// CHECK: ret void
extern "C" __global__ void transpose(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[x * h + y] = in[y * w + x];
}
// Within a margin as well: the limit is a number of the launch less another.
// CHECK-LABEL: define {{.*}} @"inner$mesi$0"(
// CHECK: [[ROW:%.*]] = {{.*}}call{{.*}} i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
// CHECK-NEXT: mul nsw i32 [[ROW]], 4
// CHECK-NOT: sreg.nctaid.y
// CHECK: ret void
extern "C" __global__ void inner(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w - 2 && y < h - 3)
        out[x * h + y] = in[y * w + x];
}
