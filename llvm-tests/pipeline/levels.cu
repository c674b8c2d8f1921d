// The matrix product end to end: at every level clang stages both operands, and ptxas assembles what
// comes out, with the barriers in it; -O2 and -O3 unroll the strip, -Oz leaves loops tested before
// their body.
// REQUIRES: cuda
// RUN: for level in O1 O2 O3 Os Oz; do \
// RUN:   %clang %cuda-flags --cuda-gpu-arch=sm_80 -$level --cuda-device-only -S %s -o %t.$level.ptx -fpass-plugin=%mesi -mllvm -mesi-force -Rpass=mesi -Rpass-missed=mesi > %t.$level.txt 2>&1; \
// RUN:   %FileCheck %s < %t.$level.txt; \
// RUN:   %FileCheck %s -check-prefix=PTX < %t.$level.ptx; \
// RUN:   %ptxas -arch sm_80 -o %t.cubin %t.$level.ptx; done
// CHECK-DAG: remark: staged 'arg0' in product: {{[0-9]+}} bytes of shared memory in the kernel, {{[0-9]+}} barriers
// CHECK-DAG: remark: staged 'arg1' in product
// CHECK-DAG: remark: not staged: 'arg2' in product: it is only written, and staging would not help (OnlyStored)
// PTX: .shared {{.*}}mesi_$_tiles
// PTX-COUNT-3: bar.sync 0
// PTX: ret;
// A full strip of 16 steps is 16 multiply-adds in a row, and the rest and the original have their own.
// RUN: grep -c fma.rn.f32 %t.O3.ptx | awk '{ exit !($1 >= 18) }'
__global__ void product(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  }
}
