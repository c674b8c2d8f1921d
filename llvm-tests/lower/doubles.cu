// Sums of doubles take two registers each: 16 lanes have 96 registers in a kernel of its own, which then serves no blocks that leave it fewer. (On sm_90 tensor cores take such a product.)
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O3 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi
// RUN: %FileCheck %s --input-file=%t.ll
// CHECK: define {{.*}} @"_Z7product{{.*}}$mesi$0"({{.*}} [[MANY:#[0-9]+]]
// CHECK: define {{.*}} @"_Z7product{{.*}}$mesi$2"({{.*}} [[FEW:#[0-9]+]]
// CHECK-DAG: attributes [[MANY]] = {{.*}}"nvvm.maxnreg"="96"
// CHECK-DAG: attributes [[FEW]] = {{.*}}"nvvm.maxnreg"="64"
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t2.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t2.ll 2>&1 | %FileCheck %s --check-prefix=GATE
// 672 threads of 96 registers fit 65536.
// GATE-LABEL: define zeroext i1 @"_Z7product{{.*}}$mesi$0$gate"
// GATE: icmp sle {{.*}}, 672
// GATE-LABEL: define zeroext i1 @"_Z7product{{.*}}$mesi$2$gate"
// GATE-NOT: , 672
// GATE: ret i1 false
__global__ void product(const double *a, const double *b, double *c, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n)
    return;
  double s = 0;
  for (int k = 0; k < n; k++)
    s += a[i * n + k] * b[k * n + j];
  c[i * n + j] = s;
}
