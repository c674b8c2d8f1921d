// Reductions that are not dealt out to warps, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*are split" %t.remarks
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.rdc.ll 2>&1 | %FileCheck %s -check-prefix=RDC
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -ffast-math -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.fast.ll 2>&1 | %FileCheck %s -check-prefix=FAST
// RDC: yes{{.*}}: its integer reductions are split
// RDC-NOT: several{{.*}}reductions are split
// FAST: yes{{.*}}: its integer reductions are split
// FAST-NOT: real_behind{{.*}}reductions are split
// CHECK: yes{{.*}}: its integer reductions are split
// CHECK: real_behind{{.*}}: its integer reductions are split
// CHECK: several{{.*}}: its integer reductions are split
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define LOOP for (int k = 0; k < n; k++)
#define PARAMETERS const int *a, int *s, int n
__global__ void yes(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  s[i] = sum;
}
// Real numbers outside the loop are what they were; with -ffast-math LLVM may work them out in another way.
__global__ void real_behind(PARAMETERS, float *y, float w) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  y[i] = sum * w + 1;
}
// What was summed up decides.
__global__ void no_decision(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP if (sum < 1000) sum += a[i * n + k];
  s[i] = sum;
}
// Each part of a sum is stored.
__global__ void no_parts(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP {
    sum += a[i * n + k];
    s[i * n + k] = sum;
  }
}
// An iteration takes what the last one loaded.
__global__ void no_last(PARAMETERS) {
  int i = ID, sum = 0, last = 0;
  LOOP {
    sum += a[i * n + k] * last;
    last = a[i * n + k];
  }
  s[i] = sum;
}
// What the last iteration loaded is used.
__global__ void no_left(PARAMETERS) {
  int i = ID, sum = 0, last = 0;
  LOOP {
    last = a[i * n + k];
    sum += last;
  }
  s[i] = sum + last;
}
// The loop is left in its middle.
__global__ void no_middle(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP {
    if (a[i * n + k] < 0)
      break;
    sum += a[i * n + k];
  }
  s[i] = sum;
}
// How often it runs lies in what it loads.
__global__ void no_count(PARAMETERS) {
  int i = ID, sum = 0, k = 0;
  do {
    sum += a[i * n + k++];
  } while (k < a[i * n + k]);
  s[i] = sum;
}
// Steps of two may miss the end, and come round.
__global__ void no_round(const unsigned *a, unsigned *s, unsigned n) {
  unsigned i = ID, sum = 0;
  for (unsigned k = 0; k != n; k += 2)
    sum += a[i * n + k];
  s[i] = sum;
}
// Steps that grow.
__global__ void no_step(PARAMETERS) {
  int i = ID, sum = 0;
  for (int k = 1; k < n; k *= 2)
    sum += a[i * n + k];
  s[i] = sum;
}
// A few iterations, which are fewer than lanes.
__global__ void no_few(PARAMETERS) {
  int i = ID, sum = 0;
#pragma clang loop unroll(disable)
  for (int k = 0; k < 20; k++)
    sum += a[i * n + k];
  s[i] = sum;
}
// Another loop would be run by all lanes.
__global__ void no_other(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  LOOP s[a[i * n + k]] = a[i * n + k] - sum;
}
// Real numbers of an iteration share a product with the next one's: how far LLVM unrolls decides what is fused.
__global__ void no_shared_product(PARAMETERS, const float *x, float w) {
  int i = ID, sum = 0;
  LOOP sum += (int)fabsf(x[i * n + k] * w + x[i * n + k + 1] * w);
  s[i] = sum;
}
// A loop updates.
__global__ void no_update(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP {
    sum += a[i * n + k];
    atomicAdd(s + k, 1);
  }
  s[i * n] = sum;
}
// What an update finds is used.
__global__ void no_found(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  s[1 + atomicAdd(s, 1)] = sum;
}
// Which thread of a block it is, is asked.
__global__ void no_thread(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  s[i] = sum + threadIdx.x;
}
// How many threads there are is asked.
__global__ void no_threads(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  s[i] = sum + blockDim.x;
}
// Threads in two dimensions.
__global__ void no_line(PARAMETERS) {
  int i = ID, j = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
  LOOP sum += a[i * n + k] * a[j * n + k];
  s[i * n + j] = sum;
}
// Time is told.
__global__ void no_time(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  s[i] = sum + clock();
}
// Threads of a block wait for each other, or of a warp.
__global__ void no_barrier(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  __syncthreads();
  s[i] = sum;
}
__global__ void no_warp(PARAMETERS) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  s[i] = __shfl_xor_sync(~0u, sum, 1);
}
// Memory that others write without a word.
__global__ void no_volatile(volatile int *a, int *s, int n) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  s[i] = sum;
}
// A thread's own variables lie in memory.
__global__ void no_variables(PARAMETERS) {
  int i = ID, own[9];
#pragma clang loop unroll(disable)
  for (int k = 0; k < 9; k++)
    own[k] = a[k];
  int sum = 0;
  LOOP sum += a[i * n + k] * own[a[k]];
  s[i] = sum;
}
// A product and its sum have a store between them: behind it they would stand in two blocks, and not be fused.
__global__ void no_fused(PARAMETERS, float *y, float w) {
  int i = ID, sum = 0;
  LOOP sum += a[i * n + k];
  float product = sum * w;
  y[i] = product;
  y[i + n] += product;
}
// A pointer is loaded that may have been written.
__global__ void no_pointer(int **a, int *s, int n) {
  int i = ID, sum = 0;
  int *row = a[i];
  LOOP sum += row[k];
  s[i] = sum;
}
// Other files may have the kernel, if their code is linked.
template <class T> __global__ void several(const T *a, T *s, int n) {
  int i = ID;
  T sum = 0;
  LOOP sum += a[i * n + k];
  s[i] = sum;
}
template __global__ void several<int>(PARAMETERS);
