// Flat blocks that stay flat, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*blocks of rows" %t.remarks && %not grep -q "mesi.copy" %t.ll
// CHECK: yes{{.*}}: its flat blocks become blocks of rows: 8 rows of 32 threads
#define PARAMETERS const float *a, float *b, unsigned n
#define SUM                                                                                                                                                    \
  float s = 0;                                                                                                                                                 \
  for (unsigned i = 0; i < n; i++)                                                                                                                             \
    s += a[row * n + i] * a[i * n + col];                                                                                                                      \
  b[row * n + col] = s
__global__ void yes(PARAMETERS) {
  unsigned row = blockIdx.y * 8 + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 32;
  SUM;
}
// The number is taken apart by two constants.
__global__ void no_two(PARAMETERS) {
  unsigned row = blockIdx.y * 8 + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 16;
  SUM;
}
// Blocks have other columns than threads: some are done twice, or not.
__global__ void no_columns(PARAMETERS) {
  unsigned row = blockIdx.y * 8 + threadIdx.x / 32, col = blockIdx.x * 64 + threadIdx.x % 32;
  SUM;
}
// Rows and columns lie along one axis.
__global__ void no_axis(PARAMETERS) {
  unsigned row = blockIdx.x * 8 + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 32;
  SUM;
}
// More is asked: the thread's number itself, a part of it, a block's number, how many threads there are.
__global__ void no_thread(PARAMETERS) {
  unsigned row = blockIdx.y * 8 + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 32;
  SUM + threadIdx.x;
}
__global__ void no_part(PARAMETERS) {
  unsigned row = blockIdx.y * 8 + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 32;
  SUM + threadIdx.x % 32;
}
__global__ void no_block(PARAMETERS) {
  unsigned row = blockIdx.y * 8 + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 32;
  SUM + blockIdx.x;
}
__global__ void no_size(PARAMETERS) {
  unsigned row = blockIdx.y * 8 + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 32;
  SUM + blockDim.x;
}
__global__ void no_other_axis(PARAMETERS) {
  unsigned row = blockIdx.y * 8 + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 32;
  SUM + threadIdx.y;
}
// More threads than a block has; rows of one thread; blocks of one row.
__global__ void no_block_has_them(PARAMETERS) {
  unsigned row = blockIdx.y * 64 + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 32;
  SUM;
}
__global__ void no_rows(PARAMETERS) {
  unsigned row = blockIdx.y + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 32;
  SUM;
}
// Threads of a block wait for each other.
__global__ void no_barrier(PARAMETERS) {
  unsigned row = blockIdx.y * 8 + threadIdx.x / 32, col = blockIdx.x * 32 + threadIdx.x % 32;
  SUM;
  __syncthreads();
  b[col * n + row] = s;
}
