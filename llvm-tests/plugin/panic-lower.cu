// A fault of ours while a body is emitted, or looked at, costs that body: its blocks are taken away again, the kernel runs as it was, and clang
// warns and makes an object. Also where the original has a stack object that had moved, and a clone of its own for the host.
// REQUIRES: cuda
// RUN: rm -f %t.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-force -mllvm -mesi-panic-at=lower > %t.err 2>&1
// RUN: test -e %t.o && %FileCheck %s < %t.err
// CHECK: warning: mesi: a version is dropped: internal error in kernel 'product', stage lower: asked for by panic-at=lower
// CHECK: 1 warning generated
// RUN: for stage in lower check gate; do \
// RUN:   %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 --cuda-device-only -emit-llvm -S %s -o %t.ll -fpass-plugin=%mesi -mllvm -mesi-force -mllvm -mesi-panic-at=$stage || exit 1; \
// RUN:   %FileCheck %s -check-prefix=CODE < %t.ll || exit 1; done
// CODE: define {{.*}}ptx_kernel void @_Z7productPKfS0_Pfii(
// CODE-NEXT: alloca [4 x float]
// CODE-NOT: mesi.
// CODE: ret void
// CODE-NOT: ptx_kernel void
// CODE: attributes
__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int i) {
  volatile float v[4];
  v[i & 3] = a[0];
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float s = v[n & 3];
  for (int k = 0; k < n; k++)
    s += a[row * n + k] * b[k * n + col];
  c[row * n + col] = s;
}
