// A loop by which a grid of any size goes over all elements is dealt out anew where all that it does is to load and to update cells: turns
// are of elements then, as many side by side as a thread loads at once. That each comes once rests on facts: ids and the counter do not wrap.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O2 -S -emit-llvm %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: plan of _Z6countsPKhPji
// CHECK-NEXT: merge 16x1x1 blocks, consecutive along x
// CHECK: access0: all replicas at once if aligned
// CHECK: all blocks in steps: 270336 threads at most, 792 blocks, one leader for 1024 threads at least, 32 copies
// CHECK-NEXT: steps of elements: loop0 by v{{[0-9]+}}, id < v2
// CHECK: fact: 1 <= ntid.x*nctaid.x <= 2147483647
// CHECK: fact: 0 <= s0 <= 2147483647
// CHECK-NEXT: fact: 0 <= ntid.x*nctaid.x + s0 + 16384 <= 2147483647
// Nothing loaded lies among the cells: from the first element to the last.
// CHECK-NEXT: fact: array1 + 0 for 4 bytes apart from array0 + 0 for 1 bytes to array0 + s0 - 1 for 1 bytes
__global__ void counts(const unsigned char *data, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[data[i]], 1u);
}
// Wide counters, elements beyond the counter, branches: those are taken lane by lane.
// CHECK-LABEL: plan of _Z6tablesPKtPjPim
// CHECK-NEXT: merge 8x1x1 blocks, consecutive along x
// CHECK: access0: all replicas at once if aligned
// CHECK: steps of elements: loop0 by v{{[0-9]+}}, id < v3, unsigned
// CHECK: apart from array0 + 6 for 2 bytes to array0 + 2*s0 + 4 for 2 bytes
__global__ void tables(const unsigned short *data, unsigned *bins, int *peak, size_t n)
{
    size_t step = (size_t)blockDim.x * gridDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        int v = data[i + 3];
        atomicAdd(&bins[v >> 10], 1u);
        if (v & 1)
            atomicMax(&peak[i & 15], v);
    }
}
// The last element included.
// CHECK-LABEL: plan of _Z8includedPKiPji
// CHECK: steps of elements: loop0 by v{{[0-9]+}}, id <= v2
// CHECK: fact: 0 <= s0 + 1 <= 2147483647
__global__ void included(const int *data, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[data[i] & 31], 1u);
}
// By default where there are elements enough.
// RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>,verify' -S %t.ll | %FileCheck %s -check-prefix=IR
// IR-LABEL: define {{.*}}@_Z6countsPKhPji(
// IR: mesi.cells:
// IR: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// IR: mesi.turn:
// IR: [[LAST:%.*]] = add nsw i32 [[FIRST:%.*]], 15
// IR-NEXT: [[ALL:%.*]] = icmp slt i32 [[LAST]], %2
// IR-NEXT: br i1 [[ALL]], label %mesi.fast, label %mesi.few
// IR: mesi.fast:
// IR: br i1 %{{.*}}, label %mesi.wide, label %mesi.each
// The elements that there are, one by one.
// IR: mesi.few:
// IR-NEXT: [[SOME:%.*]] = icmp slt i32 [[FIRST]], %2
// IR-NEXT: br i1 [[SOME]], label %mesi.element, label %mesi.end
// IR: mesi.wide:
// IR: load <4 x i32>, ptr %{{.*}}, align 16
// IR: mesi.loaded:
// IR-COUNT-16: atomicrmw add ptr addrspace(3)
// IR: mesi.element:
// IR: load i8
// IR: atomicrmw add ptr addrspace(3)
