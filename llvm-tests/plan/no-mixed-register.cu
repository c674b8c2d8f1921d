// A cell that is a pointer here and a number there does not live in one register: what is put in could not be taken out. Floats and integers of one size do.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -mllvm -mesi-force -Rpass=mesi -Rpass-missed=mesi -S %s -o %t.s 2>&1 | %FileCheck %s
// CHECK-NOT: warning
// CHECK: kept in a register
// CHECK-NOT: warning
union Cell {
  char *p;
  unsigned long long u;
  double d;
};
__global__ void mixed(Cell *c, const unsigned long long *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) {
    c[i].u ^= x[k];
    c[i].p += x[n - 1 - k];
  }
}
__global__ void alike(Cell *c, const unsigned long long *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) {
    c[i].u ^= x[k];
    c[i].d += x[n - 1 - k];
  }
}
