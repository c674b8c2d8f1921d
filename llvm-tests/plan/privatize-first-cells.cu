// Where data alone says which cell is updated, and says no bounds, the array's first cells are privatized; others are updated where they lie.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O2 -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -passes='mesi<form=own;force>,verify' -S %t.ll | %FileCheck %s -check-prefix=IR

// A branch that asks for the cell, and for nothing else, is one that most threads pass.
// CHECK-LABEL: plan of _Z6valuesPKiPiii
// CHECK: steps of ids: node{{[0-9]+}}, id < v2
// CHECK-NEXT: privatized: array1 bins, Add of 1024 cells from byte 0, at byte 0, for access1, others in memory
// CHECK: fact: array1 + 0 for 4 bytes apart from array0
// Another version has more cells, and fewer copies.
// CHECK: else version 1
// CHECK: one leader for 16384 threads at least, 2 copies
// CHECK: privatized: array1 bins, Add of 4096 cells from byte 0, at byte 0, for access1, others in memory
// The bytes from the array on tell which it is, without a sign: what is below the array is none of its first cells.
// IR-LABEL: define {{.*}}@"_Z6valuesPKiPiii$mesi$0"(
// IR: [[BYTES:%.*]] = sub i64 %{{.*}}, %{{.*}}
// IR: [[OWN:%.*]] = icmp ult i64 [[BYTES]], 4096
// IR-NEXT: br i1 [[OWN]], label %[[ON:mesi.on.*]], label %[[OFF:mesi.off.*]]
// IR: [[ON]]:
// IR: atomicrmw add ptr addrspace(3) %{{.*}}, i32 1 monotonic
// IR: [[OFF]]:
// IR-NEXT: atomicrmw add ptr %{{.*}}, i32 1
__global__ void values(const int *data, int *bins, int n, int b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = data[i];
        if (v >= 0 && v < b)
            atomicAdd(&bins[v], 1);
    }
}

// Operations that commute may do so in several arrays, whichever of their cells are the same memory.
// CHECK-LABEL: plan of _Z7by_keysPKiS0_PiS1_i
// CHECK: privatized: array2 sum, Add of 1024 cells from byte 0, at byte 0, for access2, others in memory
// CHECK-NEXT: privatized: array3 count, Add of 1024 cells from byte 0, at byte 4096, for access3, others in memory
__global__ void by_keys(const int *__restrict__ key, const int *__restrict__ value, int *__restrict__ sum,
                        int *__restrict__ count, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&sum[key[i] + 1], value[i]);
        atomicAdd(&count[key[i] + 1], 1);
    }
}
