// Iterations jammed over tiles: a round's core reads one cell for all and one for each, from row to row of one pointer,
// and stores nothing; the stores follow, iteration by iteration. What is left over runs in the loop as it was. All
// barriers stand before the rounds. Registers are those of the version without.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<force;merge=off;unroll-jam=3;disable=off>,verify' -S %t.ll | %FileCheck %s
// CHECK: call void @llvm.nvvm.barrier
// CHECK: mesi.round:
// CHECK-NOT: barrier
// CHECK-NOT: load
// CHECK-COUNT-3: store float %{{.*}}, ptr %
// CHECK-NOT: store
// CHECK: icmp sle i64
// CHECK-NEXT: br i1 %{{.*}}, label %mesi.round
// CHECK: mesi.loop{{.*}}:
// CHECK-COUNT-4: load float, ptr addrspace(3)
// CHECK-NOT: load
// CHECK-NOT: store
// CHECK-COUNT-3: call float @llvm.fmuladd.f32
// CHECK: br i1 %{{.*}}, !llvm.loop [[CORE:![0-9]+]]
// CHECK: icmp slt i64
// CHECK-NEXT: br i1
// CHECK: store float %{{.*}}, ptr %
// CHECK-NOT: store
// CHECK: load float, ptr addrspace(3)
// CHECK: load float, ptr addrspace(3)
// CHECK-NOT: load
// CHECK: ret void
// CHECK: "nvvm.maxnreg"="48"
// CHECK: [[CORE]] = distinct !{[[CORE]], [[COUNT:![0-9]+]]}
// CHECK: [[COUNT]] = !{!"llvm.loop.unroll.count", i32 8}
extern "C" __global__ void scores(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ out,
                                  int n, int m, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < d; k++)
      s += x[i * d + k] * w[j * d + k];
    out[j * n + i] = s;
  }
}
