// Loops that are not dealt out, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*dealt out" %t.remarks && %not grep -q "mesi.copy" %t.ll
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.rdc.ll 2>&1 | %FileCheck %s -check-prefix=RDC
// RDC: yes{{.*}}: its loop is dealt out
// RDC-NOT: several{{.*}}dealt out
// CHECK: yes{{.*}}: its loop is dealt out
// CHECK: several{{.*}}: its loop is dealt out
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define LOOP for (int i = ID; i < n; i += gridDim.x * blockDim.x)
#define LOOP_TO(n) for (unsigned i = ID; i < n; i += gridDim.x * blockDim.x)
#define PARAMETERS const float *__restrict__ x, float *__restrict__ y, int n
__global__ void yes(PARAMETERS) {
  LOOP y[i] = x[i] * 2;
}
// An element's cell is the next one's, too.
__global__ void no_cell(PARAMETERS) {
  LOOP y[i] += y[i + 1];
}
// All write one cell.
__global__ void no_cells(PARAMETERS) {
  LOOP y[0] = x[i];
}
// Rows that are longer than they lie apart.
__global__ void no_rows(PARAMETERS) {
  LOOP for (int j = 0; j < 9; j++) y[i * 8 + j] = x[j];
}
// Where an element is stored is read.
__global__ void no_place(PARAMETERS, const int *at) {
  LOOP y[at[i]] = x[i];
}
// Which thread has the element is told.
__global__ void no_thread(PARAMETERS) {
  LOOP y[i] = x[i] * threadIdx.x;
}
// How many threads there are is told.
__global__ void no_threads(PARAMETERS) {
  LOOP y[i] = x[i] * gridDim.x;
}
// A sum over a thread's elements.
__global__ void no_sum(PARAMETERS) {
  float s = 0;
  LOOP s += x[i];
  y[ID] = s;
}
// Something is done behind the loop.
__global__ void no_end(PARAMETERS) {
  LOOP y[i] = x[i];
  y[n] = 1;
}
// Updates of floating-point numbers have an order.
__global__ void no_order(PARAMETERS) {
  LOOP atomicAdd(y, x[i]);
}
// Updates of a cell and of half of it: what the half carries is lost or not.
__global__ void no_width(unsigned *x, unsigned n) {
  LOOP_TO(n) {
    atomicAdd(x, 0xffffffffu);
    atomicAdd((unsigned long long *)x, 3ull);
  }
}
// Threads of a block wait for each other.
__global__ void no_barrier(PARAMETERS) {
  LOOP y[i] = x[i];
  __syncthreads();
}
// The loop is left in its middle.
__global__ void no_middle(PARAMETERS) {
  LOOP {
    if (x[i] < 0)
      return;
    y[i] = x[i];
  }
}
// It begins elsewhere.
__global__ void no_begin(PARAMETERS) {
  for (int i = ID + 1; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i];
}
// It goes on by another step.
__global__ void no_step(PARAMETERS) {
  for (int i = ID; i < n; i += 4096)
    y[i] = x[i];
}
// Threads in two dimensions.
__global__ void no_line(PARAMETERS) {
  LOOP y[i] = x[i] + threadIdx.y;
}
// How many elements there are lies in memory.
__global__ void no_told(PARAMETERS, const int *count) {
  for (int i = ID; i < *count; i += gridDim.x * blockDim.x)
    y[i] = x[i];
}
// A turn for every thread, whether it has an element or not.
__global__ void no_guard(PARAMETERS) {
  int i = ID;
  do {
    y[i] = x[i];
    i += gridDim.x * blockDim.x;
  } while (i < n);
}
// Other files may have the kernel, if their code is linked.
template <class T> __global__ void several(const T *__restrict__ x, T *__restrict__ y, int n) {
  LOOP y[i] = x[i] * 2;
}
template __global__ void several<float>(PARAMETERS);
