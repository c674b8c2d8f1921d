// Loops whose loads do not come first, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll > %t.plan 2>&1
// RUN: %FileCheck %s < %t.plan
#define LOOP for (int i = threadIdx.x; i < n; i += blockDim.x)
#define PARAMETERS const int *__restrict__ x, int *__restrict__ y, int n
// CHECK-LABEL: plan of _Z3yes
// CHECK: iterations, {{.*}} first
__global__ void yes(PARAMETERS) {
  LOOP if (x[i]) atomicAdd(y, x[i]);
}
// What is loaded may be what an iteration stored.
// CHECK-LABEL: plan of _Z8no_apart
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: what is stored may be what the next iteration loads
__global__ void no_apart(const int *x, int *y, int n) {
  LOOP if (x[i]) y[x[i]] = i;
}
// What an update gave back may say that another thread has written.
// CHECK-LABEL: plan of _Z11no_observed
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: what is stored may be what the next iteration loads
__global__ void no_observed(int *__restrict__ x, int *__restrict__ y, int n) {
  LOOP if (x[i]) y[1] += atomicAdd(y, x[i]);
  x[threadIdx.x] = n;
}
// CHECK-LABEL: plan of _Z12yes_observed
// CHECK: iterations, {{.*}} first
__global__ void yes_observed(PARAMETERS) {
  LOOP if (x[i]) y[1] += atomicAdd(y, x[i]);
}
// CHECK-LABEL: plan of _Z9no_shared
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: what is stored may be what the next iteration loads
__global__ void no_shared(int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ volatile int done;
  LOOP if (done == 0) y[x[i]] = 1;
  x[threadIdx.x] = n;
  done = 1;
}
// A barrier, a fence, a warp that talks.
// CHECK-LABEL: plan of _Z10no_barrier
// CHECK-NOT: iterations, {{.*}} first
__global__ void no_barrier(PARAMETERS) {
  for (int i = 0; i < n; i++) {
    if (x[i * n + threadIdx.x]) atomicAdd(y, i);
    __syncthreads();
  }
}
// CHECK-LABEL: plan of _Z8no_fence
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: threads or blocks may communicate
__global__ void no_fence(PARAMETERS) {
  LOOP {
    y[x[i]] = i;
    __threadfence();
  }
}
// CHECK-LABEL: plan of _Z7no_warp
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: threads or blocks may communicate
__global__ void no_warp(PARAMETERS) {
  LOOP if (x[i]) y[i] = __shfl_sync(~0u, x[i], 1);
}
// CHECK-LABEL: plan of _Z11no_volatile
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: threads or blocks may communicate
__global__ void no_volatile(const volatile int *__restrict__ x, int *__restrict__ y, int n) {
  LOOP if (x[i]) y[i] = 1;
}
// Where the next load lies is loaded itself.
// CHECK-LABEL: plan of _Z8no_chain
// CHECK-NOT: iterations, {{.*}} first
__global__ void no_chain(PARAMETERS) {
  int at = threadIdx.x;
  for (int i = 0; i < n; i += blockDim.x) {
    at = x[at];
    if (at > i) atomicAdd(y, at);
  }
}
// Which iterations load is decided by those before.
// CHECK-LABEL: plan of _Z12no_condition
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: what is stored may be what the next iteration loads
__global__ void no_condition(PARAMETERS) {
  int last = 1;
  LOOP {
    if (last & 1) atomicAdd(y, x[i]);
    last = last * 5 / 3 + i;
  }
}
// Some iterations load a cell of their own and write it: the write may be that of another branch.
// CHECK-LABEL: plan of _Z7no_cell
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: what is stored may be what the next iteration loads
__global__ void no_cell(PARAMETERS) {
  LOOP if (i % 3) y[i] = y[i] / 3;
}
// Nobody knows where it begins how often it runs.
// CHECK-LABEL: plan of _Z6no_end
// CHECK-NOT: iterations, {{.*}} first
__global__ void no_end(PARAMETERS) {
  LOOP {
    if (x[i] == 7) break;
    atomicAdd(y, x[i]);
  }
}
// CHECK-LABEL: plan of _Z7no_step
// CHECK-NOT: iterations, {{.*}} first
__global__ void no_step(PARAMETERS) {
  for (int i = threadIdx.x + 1; i < n; i *= 2) atomicAdd(y, x[i]);
}
// A loop in it.
// CHECK-LABEL: plan of _Z8no_inner
// CHECK-NOT: iterations, {{.*}} first
__global__ void no_inner(PARAMETERS) {
  LOOP for (int k = x[i]; k > 1; k /= 3) atomicAdd(y, k);
}
// Too much for a round.
// CHECK-LABEL: plan of _Z7no_room
// CHECK-NOT: iterations, {{.*}} first
struct Large { int a[32]; };
__global__ void no_room(const Large *__restrict__ x, int *__restrict__ y, int n) {
  LOOP {
    int s = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) s = s * 5 ^ x[i].a[k];
    if (s) atomicAdd(y, s);
  }
}
// What may stand in a kernel once only, whatever else is the matter with it.
// CHECK-LABEL: plan of _Z7no_once
// CHECK: AssemblyOnce
// CHECK-NOT: iterations, {{.*}} first
__global__ void no_once(PARAMETERS, int (*f)(int)) {
  LOOP {
    int v;
    asm(".reg .u32 mine; mov.u32 mine, %1; mov.u32 %0, mine;" : "=r"(v) : "r"(x[i]));
    if (v) atomicAdd(y, v);
  }
  y[1] = f(n);
}
// The next iteration's load is of this one's store.
// CHECK-LABEL: plan of _Z12no_neighbour
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: what is stored may be what the next iteration loads
__global__ void no_neighbour(int *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < m; k++) {
    int x = a[k * n + i];
    if (x & 1) a[(k + 1) * n + i] = x / 3;
  }
}
// Cells that iterations share in part.
// CHECK-LABEL: plan of _Z10no_overlap
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: what is stored may be what the next iteration loads
__global__ void no_overlap(char *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < m; k++) {
    short *at = (short *)(a + 2 * (k + i * m));
    int x = *(int *)at;
    if (x & 1) *(int *)at = x / 3;
  }
}
// How far apart an iteration's cell is from the next one's differs between threads.
// CHECK-LABEL: plan of _Z10no_uniform
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: what is stored may be what the next iteration loads
__global__ void no_uniform(int *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < m; k++) {
    int x = a[k * i];
    if (x & 1) a[k * i] = x / 3;
  }
}
// Where the load lies is data, so nobody can ask whether it lies apart.
// CHECK-LABEL: plan of _Z6no_ask
// CHECK-NOT: iterations, {{.*}} first
// CHECK: not unrolled: what is stored may be what the next iteration loads
__global__ void no_ask(const int *a, const int *at, int *c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < m; k++) {
    int x = a[k * n + i];
    if (x & 1) c[at[x & 7]] = x;
  }
}
