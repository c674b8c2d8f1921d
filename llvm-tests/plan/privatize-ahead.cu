// Where an update of no bounds may change what the thread loads next, it does its own elements in their order: it loads
// some ahead, and again behind an update of a cell that is not the block's.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O2 -S -emit-llvm %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -passes='mesi<form=own;force>,verify' -S %t.ll | %FileCheck %s -check-prefix=IR
#define OVER(i, n) (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
// CHECK-LABEL: plan of _Z4binsPKiPii
// CHECK: all blocks in steps
// CHECK-NEXT: 8 elements ahead: access0, id < v2
// CHECK-NEXT: privatized: array1 arg1, Add of 1024 cells from byte 0, at byte 0, for access1, others in memory
// No element lies among the block's cells.
// CHECK: fact: array1 + 0 for 4 bytes apart from array0 + 0 for 4 bytes to array0 + 4*s0 - 4 for 4 bytes
// IR-LABEL: define {{.*}}@"_Z4binsPKiPii$mesi$0"(
// IR: mesi.own:
// IR: [[LAST:%.*]] = add i64 [[I:%.*]], {{.*}}
// IR-NEXT: [[ALL:%.*]] = icmp ult i64 [[LAST]], [[N:%.*]]
// IR-NEXT: br i1 [[ALL]], label %mesi.ahead, label %mesi.one
// IR: mesi.ahead:
// IR-COUNT-8: load i32, ptr
// What the first one's update did to memory is read again.
// IR: atomicrmw add ptr addrspace(3) {{.*}} monotonic
// IR: atomicrmw add ptr %{{.*}} seq_cst
// IR: [[STALE:%.*]] = phi i1 [ false, %mesi.on{{.*}} ], [ true, %mesi.off{{.*}} ]
// IR: br i1 [[STALE]], label %[[AGAIN:mesi.on.*]], label %[[JOIN:mesi.join.*]]
// IR: [[AGAIN]]:
// IR-NEXT: load i32, ptr
__global__ void bins(const int *data, int *counts, int n)
{
    for OVER(i, n)
        atomicAdd(&counts[data[i]], 1);
}
// Of records; what only some iterations load is loaded there.
// CHECK-LABEL: plan of _Z7recordsPK4int4PKiPii
// CHECK: 8 elements ahead: access0, id < v3
__global__ void records(const int4 *data, const int *weight, int *sums, int n)
{
    for OVER(i, n) {
        int key = data[i].y;
        if (key >= 0)
            atomicAdd(&sums[key], weight[i]);
    }
}
// Elements that are multiples of their numbers.
// CHECK-LABEL: plan of _Z5pairsPKiPii
// CHECK: 4 elements ahead: access0 access1, id < v2
// CHECK: fact: 0 <= 2*s0 <= 2147483647
__global__ void pairs(const int *data, int *sums, int n)
{
    for OVER(i, n)
        atomicAdd(&sums[data[2 * i]], data[2 * i + 1]);
}
// Not where iterations go on otherwise than by the grid's threads, nor what is gathered.
// CHECK-LABEL: plan of _Z4stepPKiPiii
// CHECK-NOT: ahead
// CHECK: looked up among the cells: access0
__global__ void step(const int *data, int *counts, int n, int by)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += by)
        atomicAdd(&counts[data[i]], 1);
}
// CHECK-LABEL: plan of _Z6gatherPKiS0_Pii
// CHECK-NOT: ahead
// CHECK: looked up among the cells: access0 access1
__global__ void gather(const int *data, const int *where, int *counts, int n)
{
    for OVER(i, n)
        atomicAdd(&counts[data[where[i]]], 1);
}
// What a record of arguments has is loaded at the entry, and is none of the loads.
// IR-LABEL: define {{.*}}@"_Z5given5Given$mesi$0"(
// IR: mesi.turn:
struct Given {
    int *counts;
    int n;
};
__global__ void given(Given g)
{
    atomicAdd(g.counts, g.n);
}
