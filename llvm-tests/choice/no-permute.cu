// Axes that are not exchanged, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*(axes are exchanged|become blocks of several)" %t.remarks && %not grep -q "mesi.copy" %t.ll
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.rdc.ll 2>&1 | %FileCheck %s -check-prefix=RDC
// RDC: yes{{.*}}: its axes are exchanged
// RDC-NOT: several{{.*}}axes
// CHECK: yes{{.*}}: its axes are exchanged
// CHECK: several{{.*}}: its axes are exchanged
#define IDS unsigned row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y
#define COPY b[row * n + col] = 2 * a[row * n + col]
#define PARAMETERS const float *a, float *b, unsigned m, unsigned n
__global__ void yes(PARAMETERS) {
  IDS;
  if (row < m && col < n)
    COPY;
}
// It lies well.
__global__ void no_need(PARAMETERS) {
  IDS;
  if (row < n && col < m)
    b[col * n + row] = 2 * a[col * n + row];
}
// One lies well, one does not: a transpose.
__global__ void no_better(PARAMETERS) {
  IDS;
  if (row < m && col < n)
    b[row * n + col] = 2 * a[col * m + row];
}
// The thread's block is told along x, along y.
__global__ void no_block_x(PARAMETERS) {
  IDS;
  if (row < m && col < n)
    COPY;
  b[blockIdx.x] = 1;
}
__global__ void no_block_y(PARAMETERS) {
  IDS;
  if (row < m && col < n)
    b[row * n + col] = a[row * n + col] + threadIdx.y;
}
// What is along a dimension without an id, as thread and block are not one number.
__global__ void no_layer(PARAMETERS) {
  IDS;
  if (row < m && col < n)
    b[row * n + col] = a[row * n + col] + blockIdx.z + 2 * threadIdx.z;
}
// How many blocks there are is asked.
__global__ void no_grid(PARAMETERS) {
  IDS;
  if (row < m && col < n)
    b[row * n + col] = a[row * n + col] + gridDim.y;
}
// Threads of a block wait for each other.
__global__ void no_barrier(PARAMETERS) {
  IDS;
  if (row < m && col < n)
    COPY;
  __syncthreads();
}
// Threads of a warp exchange values.
__global__ void no_shuffle(PARAMETERS) {
  IDS;
  float v = row < m && col < n ? a[row * n + col] : 0;
  v += __shfl_xor_sync(~0u, v, 1);
  if (row < m && col < n)
    b[row * n + col] = v;
}
// Blocks have no room for eight rows of a warp.
__global__ void __launch_bounds__(128) no_room(PARAMETERS) {
  IDS;
  if (row < m && col < n)
    COPY;
}
// Nothing is known of where it reads.
__global__ void no_place(const float *a, float *b, const unsigned *at, unsigned n) {
  IDS;
  b[at[row] + at[col]] = 2 * a[at[row] * n + at[col]];
}
// Other files may have the kernel, if their code is linked.
template <class T> __global__ void several(const T *a, T *b, unsigned m, unsigned n) {
  IDS;
  if (row < m && col < n)
    COPY;
}
template __global__ void several<float>(PARAMETERS);
// A block's number is no id along x where more is asked along it, or where it is taken apart.
#define ROW unsigned row = blockIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x
#define SUM float s = 0; for (unsigned i = 0; i < m; i++) s += a[row * m + i] * c[i * n + col]
__global__ void no_thread(PARAMETERS, const float *c) {
  ROW;
  SUM;
  b[row * n + col] = s + threadIdx.y;
}
__global__ void no_part(PARAMETERS, const float *c) {
  unsigned row = blockIdx.y / m, layer = blockIdx.y % m, col = blockIdx.x * blockDim.x + threadIdx.x;
  SUM;
  b[(layer * m + row) * n + col] = s;
}
// No block loads what another row's loads, or not in a loop.
__global__ void no_other_row(PARAMETERS) {
  ROW;
  if (row < m && col < n)
    COPY;
}
__global__ void no_loop(PARAMETERS, const float *c) {
  ROW;
  if (row < m && col < n)
    b[row * n + col] = a[row * n + col] + c[col];
}
// Nothing can be staged in blocks of several rows: each thread's loop ends where its data says.
__global__ void no_tiles(PARAMETERS, const int *c) {
  ROW;
  float s = 0;
  for (unsigned i = 0; c[i * n + col] != 0; i++)
    s += a[row * m + i];
  b[row * n + col] = s;
}
