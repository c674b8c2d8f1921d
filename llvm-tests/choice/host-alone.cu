// What a test at the entry would cost more than it saves is asked by the host alone: the plan says so, the gate has it,
// and no kernel does.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK: asked by the host alone: 24000000 <= ntid.x*nctaid.x*trip(loop0)
// CHECK: define zeroext i1 @"_Z4meanPKfPfii$mesi$0$pays$gate"
// CHECK: icmp {{.*}} i64 {{.*}}24000000
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -emit-llvm -S %s -o - | %FileCheck %s -check-prefix=CODE
// CODE: define {{.*}}ptx_kernel void @_Z4meanPKfPfii(
// CODE-NOT: 24000000
// CODE: define {{.*}}ptx_kernel void @"_Z4meanPKfPfii$mesi$0"(
// CODE-NOT: 24000000
__global__ void mean(const float *in, float *out, int n, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int k = 0; k <= 2 * r; k++)
    s += in[i + k];
  out[i] = s / (2 * r + 1);
}
