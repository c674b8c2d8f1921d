// Flattened ids that are not taken apart, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*taken apart" %t.remarks && %not grep -q "mesi.copy" %t.ll
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.rdc.ll 2>&1 | %FileCheck %s -check-prefix=RDC
// RDC: yes{{.*}}: its flattened ids are taken apart
// RDC-NOT: several{{.*}}taken apart
// CHECK: yes{{.*}}: its flattened ids are taken apart
// CHECK: several{{.*}}: its flattened ids are taken apart
#define ID unsigned id = blockIdx.x * blockDim.x + threadIdx.x
#define PRODUCT(row, col)                                                                                                                            \
  float s = 0;                                                                                                                                       \
  for (unsigned i = 0; i < k; i++)                                                                                                                   \
    s += a[(row) * k + i] * b[i * n + (col)];                                                                                                        \
  c[id] = s;
#define PARAMETERS const float *a, const float *b, float *c, unsigned m, unsigned n, unsigned k
__global__ void yes(PARAMETERS) {
  ID;
  if (id >= m * n)
    return;
  PRODUCT(id / n, id % n)
}
// The thread's block is told.
__global__ void no_block(PARAMETERS) {
  ID;
  if (id >= m * n)
    return;
  PRODUCT(id / n, id % n)
  c[blockIdx.x] = 1;
}
// A second dimension is in use.
__global__ void no_line(PARAMETERS) {
  ID;
  if (id >= m * n)
    return;
  PRODUCT(id / n, id % n)
  c[threadIdx.y] = 1;
}
// How many blocks there are is asked.
__global__ void no_grid(PARAMETERS) {
  ID;
  if (id >= m * n)
    return;
  PRODUCT(id / n, id % n + gridDim.x)
}
// Threads of a block wait for each other.
__global__ void no_barrier(PARAMETERS) {
  ID;
  if (id < m * n) {
    PRODUCT(id / n, id % n)
  }
  __syncthreads();
}
// A length lies in memory.
__global__ void no_told(PARAMETERS, const unsigned *length) {
  ID;
  if (id >= m * *length)
    return;
  PRODUCT(id / *length, id % *length)
}
// Other files may have the kernel, if their code is linked.
template <class T> __global__ void several(const T *a, const T *b, T *c, unsigned m, unsigned n, unsigned k) {
  ID;
  if (id >= m * n)
    return;
  PRODUCT(id / n, id % n)
}
template __global__ void several<float>(PARAMETERS);
// Blocks have no room for eight rows of a warp.
__global__ void __launch_bounds__(128) no_room(PARAMETERS) {
  ID;
  if (id >= m * n)
    return;
  PRODUCT(id / n, id % n)
}
// Rows are too short for a warp's.
__global__ void no_length(PARAMETERS) {
  ID;
  if (id >= m * 7)
    return;
  PRODUCT(id / 7, id % 7)
}
