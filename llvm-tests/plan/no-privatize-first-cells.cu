// The first cells of an array are not privatized where something tells the order of updates in memory.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O2 -S -emit-llvm %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-NOT: privatized:
// CHECK: plan of _Z6uneven
// CHECK-NOT: privatized:

// Two operations that do not commute, on cells that may be the same.
__global__ void sum_and_peak(const int *__restrict__ key, int *__restrict__ sum, int *__restrict__ peak, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int k = key[i];
        atomicAdd(&sum[k], 1);
        atomicMax(&peak[k], i);
    }
}

// What a loop gathers that may be of several cells, or that somebody else looks at, is not looked up among them.
__global__ void wide(const long *key, const int *where, int *sum, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&sum[key[where[i]]], 1);
}

__global__ void watched(const volatile int *key, int *sum, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&sum[key[i]], 1);
}

// Nor is what is loaded from the array itself.
__global__ void itself(int *sum, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&sum[sum[i]], 1);
}

// A store may be to a cell.
__global__ void stores(const int *key, int *sum, int *seen, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int k = key[i];
        atomicAdd(&sum[k], 1);
        seen[i] = k;
    }
}

// A thread's number is part of which cell it is.
__global__ void by_thread(const int *__restrict__ key, int *__restrict__ sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sum[key[i] + threadIdx.x], 1);
}

// Cells that are no multiple of a cell apart.
__global__ void uneven(const int *__restrict__ key, char *__restrict__ sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd((int *)(sum + key[i]), 1);
}
