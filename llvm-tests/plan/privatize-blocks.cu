// Loops over elements whose elements are not dealt out anew, as an iteration is told by more than its element, or not
// every element comes once, or it matters in which order a thread loads and updates: steps are of the grid's blocks.
// What may be loaded from among the cells, at places that are not known at the entry, is looked up there.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O2 -S -emit-llvm %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %t.ll 2>&1 | %not grep -qE 'steps of elements'
// RUN: %opt -load-pass-plugin %mesi -passes='mesi<form=own;force>,verify' -S %t.ll | %FileCheck %s -check-prefix=IR
#define OVER(i, n) (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
// What an iteration leaves to the next.
// CHECK: plan of _Z7carriedPKiPji
// CHECK: looked up among the cells: access0
// CHECK-NEXT: privatized: array1
__global__ void carried(const int *data, unsigned *bins, int n)
{
    int c = 0;
    for OVER(i, n) {
        c ^= data[i];
        atomicAdd(&bins[c & 31], 1u);
    }
}
// The thread's own number.
// CHECK: plan of _Z6threadPKiPji
// CHECK: looked up among the cells: access0
// CHECK-NEXT: privatized: array1
__global__ void thread(const int *data, unsigned *bins, int n)
{
    for OVER(i, n)
        atomicAdd(&bins[(data[i] + threadIdx.x) & 31], 1u);
}
// The block's, also along another dimension.
// CHECK: plan of _Z5blockPKiPji
// CHECK: looked up among the cells: access0
// CHECK-NEXT: privatized: array1
__global__ void block(const int *data, unsigned *bins, int n)
{
    for OVER(i, n)
        atomicAdd(&bins[(data[i] + blockIdx.y) & 31], 1u);
}
// A step that is not the grid's.
// CHECK: plan of _Z4stepPKiPjii
// CHECK: looked up among the cells: access0
// CHECK-NEXT: privatized: array1
__global__ void step(const int *data, unsigned *bins, int n, int by)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += by)
        atomicAdd(&bins[data[i] & 31], 1u);
}
// A start that is not the thread's id.
// CHECK: plan of _Z5startPKiPji
// CHECK: looked up among the cells: access0
// CHECK-NEXT: privatized: array1
__global__ void start(const int *data, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[data[i] & 31], 1u);
}
// Another limit for the first element than for the rest.
// CHECK: plan of _Z6limitsPKiPjii
// CHECK: looked up among the cells: access0
// CHECK-NEXT: privatized: array1
__global__ void limits(const int *data, unsigned *bins, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        do {
            atomicAdd(&bins[data[i] & 31], 1u);
            i += blockDim.x * gridDim.x;
        } while (i < m);
}
// Something stored, in the loop or behind it.
// CHECK: plan of _Z6storesPKiPjPii
// CHECK-NOT: looked up
// CHECK: privatized: array1
__global__ void stores(const int *__restrict__ data, unsigned *__restrict__ bins, int *__restrict__ out, int n)
{
    for OVER(i, n) {
        atomicAdd(&bins[data[i] & 31], 1u);
        out[i] = data[i];
    }
}
// CHECK: plan of _Z6behindPKiPjPii
// Its blocks are merged, each with its own loop.
// CHECK: privatized: array1
__global__ void behind(const int *__restrict__ data, unsigned *__restrict__ bins, int *__restrict__ out, int n)
{
    for OVER(i, n)
        atomicAdd(&bins[data[i] & 31], 1u);
    out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
// At places that are not known at the entry.
// CHECK: plan of _Z6gatherPKiS0_Pji
// CHECK: looked up among the cells: access0 access1
// CHECK-NEXT: privatized: array2
__global__ void gather(const int *data, const int *where, unsigned *bins, int n)
{
    for OVER(i, n)
        atomicAdd(&bins[data[where[i]] & 31], 1u);
}
// A loop inside: blocks are merged here, too.
// CHECK: plan of _Z5innerPKiPjii
// CHECK: privatized: array1
__global__ void inner(const int *__restrict__ data, unsigned *__restrict__ bins, int n, int m)
{
    for OVER(i, n)
#pragma unroll 1
        for (int k = 0; k < m; k++)
            atomicAdd(&bins[data[i * m + k] & 31], 1u);
}
// One element a thread, of which a test leaves some out, or all: blocks are merged.
// CHECK: plan of _Z4somePKiPjii
// CHECK: privatized: array1
__global__ void some(const int *__restrict__ data, unsigned *__restrict__ bins, int n, int on)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && on)
        atomicAdd(&bins[data[i] & 31], 1u);
}
// What an update of no bounds changes may be what the next iteration gathers: bytes of cells are looked up as parts of
// words.
// CHECK: plan of _Z7in_turnPKaPKiPiii
// CHECK: looked up among the cells: access0 access1
// CHECK-NEXT: privatized: array2 {{.*}}, others in memory
// IR-LABEL: define {{.*}}@"_Z7in_turnPKaPKiPiii$mesi$0"(
// IR: [[V:%.*]] = load i8, ptr [[P:%.*]], align 1
// IR: [[FROM:%.*]] = sub i64 [[AT:%.*]], {{.*}}
// IR-NEXT: [[IS:%.*]] = icmp ult i64 [[FROM]], 4096
// IR-NEXT: br i1 [[IS]], label %[[ON:mesi.on.*]], label %[[JOIN:mesi.join.*]]
// IR: [[ON]]:
// IR: load i32, ptr addrspace(3)
// IR: [[THERE:%.*]] = load i32, ptr %{{.*}}, align 4
// IR: [[WORD:%.*]] = add i32 [[THERE]], [[SUM:%.*]]
// IR: [[PART:%.*]] = lshr i32 [[WORD]], {{.*}}
// IR: [[JOIN]]:
// IR: icmp ult i64 {{.*}}, 4096
__global__ void in_turn(const signed char *data, const int *where, int *bins, int n, int k)
{
    for OVER(i, n)
        atomicAdd(&bins[data[where[i]] * k], 1);
}
// So may be what a thread loads behind its first update.
// CHECK: plan of _Z6behindPKiS0_Pii
// CHECK: privatized: array1 {{.*}}, others in memory
// CHECK: fact: array1 + 0 for 4 bytes apart from array2
__global__ void behind(const int *key, const int *value, int *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&sum[key[i]], 1);
        atomicAdd(&sum[value[i]], 1);
    }
}
