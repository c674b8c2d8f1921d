// Which cells an update may be of is known where branches around it compare what says so with constants.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O2 -S -emit-llvm %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %t.ll 2>&1 | %FileCheck %s
#define OVER(i, n) (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
// Both bounds, in one comparison without a sign.
// CHECK-LABEL: plan of _Z4bothPKiPii
// CHECK: steps of elements
// CHECK-NEXT: privatized: array1 arg1, Add of 246 cells from byte 40, at byte 0, for access1{{$}}
__global__ void both(const int *data, int *bins, int n)
{
    for OVER(i, n) {
        int v = data[i];
        if (v >= 10 && v < 256)
            atomicAdd(&bins[v], 1);
    }
}
// Of a sum, and so of what is added to a constant; bits above those that all have.
// CHECK-LABEL: plan of _Z7lettersPKaPji
// CHECK: steps of elements
// CHECK-NEXT: privatized: array1 arg1, Add of 7 cells from byte 0, at byte 0, for access1{{$}}
__global__ void letters(const signed char *text, unsigned *counts, int n)
{
    for OVER(i, n) {
        int v = text[i] - 'a';
        if (v >= 0 && v < 26)
            atomicAdd(&counts[v / 4], 1);
    }
}
// The other side of a branch, one of whose comparisons holds.
// CHECK-LABEL: plan of _Z5otherPKiPii
// CHECK: privatized: array1 arg1, Add of 100 cells from byte 0, at byte 0, for access1{{$}}
__global__ void other(const int *data, int *bins, int n)
{
    for OVER(i, n) {
        int v = data[i];
        if (v < 0 || v > 99)
            continue;
        atomicAdd(&bins[v], 1);
    }
}
// A quotient of what is bounded.
// CHECK-LABEL: plan of _Z8quotientPKsPii
// CHECK: privatized: array1 arg1, Add of 11 cells from byte 0, at byte 0, for access1{{$}}
__global__ void quotient(const short *data, int *bins, int n)
{
    for OVER(i, n)
        atomicAdd(&bins[data[i] / 6553 + 5], 1);
}
// One bound of two, one of two comparisons of which one must hold, a number of the launch, and what a branch beside
// the update says, are none.
// CHECK-LABEL: plan of _Z4halfPKiPii
// CHECK: privatized: {{.*}}, others in memory
__global__ void half(const int *data, int *bins, int n)
{
    for OVER(i, n) {
        int v = data[i];
        if (v < 256)
            atomicAdd(&bins[v], 1);
    }
}
// CHECK-LABEL: plan of _Z6eitherPKiPii
// CHECK: privatized: {{.*}}, others in memory
__global__ void either(const int *data, int *bins, int n)
{
    for OVER(i, n) {
        int v = data[i];
        if (v >= 0 || v == -7)
            atomicAdd(&bins[v], 1);
    }
}
// CHECK-LABEL: plan of _Z6launchPKiPiii
// CHECK: privatized: {{.*}}, others in memory
__global__ void launch(const int *data, int *bins, int n, int most)
{
    for OVER(i, n) {
        int v = data[i];
        if (v >= 0 && v < most)
            atomicAdd(&bins[v], 1);
    }
}
// CHECK-LABEL: plan of _Z6besidePKiPiS1_i
// CHECK: privatized: {{.*}}, others in memory
__global__ void beside(const int *__restrict__ data, int *__restrict__ bins, int *__restrict__ all, int n)
{
    for OVER(i, n) {
        int v = data[i];
        if (v >= 0 && v < 256)
            atomicAdd(all, 1);
        atomicAdd(&bins[v], 1);
    }
}
