// Records that threads index are staged, and blocks merged, where versions are kernels of their own, which are measured:
// a product of complex numbers (512² to 2048² by 16x16 blocks on an H100 x1.4 to x2.9).
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S -emit-llvm %s -o /dev/null -fpass-plugin=%mesi -Rpass=mesi -Rpass-missed=mesi 2>&1 | %FileCheck %s
// CHECK-DAG: staged 'arg0' in product: 32768 bytes
// CHECK-DAG: staged 'arg1' in product: 32768 bytes
struct Complex { double re, im; };
__global__ void product(const Complex *a, const Complex *b, Complex *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    double re = 0, im = 0;
    for (int k = 0; k < n; k++) {
      Complex x = a[row * n + k], y = b[k * n + col];
      re += x.re * y.re - x.im * y.im;
      im += x.re * y.im + x.im * y.re;
    }
    c[row * n + col].re = re;
    c[row * n + col].im = im;
  }
}
