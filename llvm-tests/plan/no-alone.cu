// Kernels that are left as they are whatever could be gained: threads that wait for each other, barriers for a part of a block, and
// what a second body cannot be made of.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-missed=mesi -S %s -o %t.s 2>&1 | %FileCheck %s -check-prefix=REMARK
// REMARK: not staged: kernel no_lock: whether a loop of the kernel goes on may hang on what other threads write, and they might wait for each other (Waits)
#define ROW                                             \
  int row = blockIdx.x * blockDim.x + threadIdx.x;      \
  float s = 0;
#define SUM                                             \
  for (int i = 0; i < n; i++)                           \
    s += a[row * n + i];                                \
  sums[row] = s;
// A lock for each critical section.
// CHECK-LABEL: plan of _Z7no_lockPKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_lock(const float *a, float *sums, int n, int *lock) {
  ROW
  while (atomicCAS(lock, 0, 1))
    ;
  SUM
  atomicExch(lock, 0);
}
// One that is tried again and again.
// CHECK-LABEL: plan of _Z8no_triedPKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_tried(const float *a, float *sums, int n, int *lock) {
  ROW
  for (bool done = false; !done;)
    if (atomicExch(lock, 1) == 0) {
      SUM
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
}
// One in shared memory of the kernel's own.
// CHECK-LABEL: plan of _Z9no_sharedPKfPfi
// CHECK-NEXT: not staged: Waits
__global__ void no_shared(const float *a, float *sums, int n) {
  __shared__ int lock;
  ROW
  lock = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1))
    ;
  SUM
  atomicExch(&lock, 0);
}
// A flag: volatile, read in order, behind fences, by assembly, in a function.
// CHECK-LABEL: plan of _Z11no_volatilePKfPfiPVi
// CHECK-NEXT: not staged: Waits
__global__ void no_volatile(const float *a, float *sums, int n, volatile int *flag) {
  ROW
  while (*flag == 0)
    ;
  SUM
}
// CHECK-LABEL: plan of _Z10no_acquirePKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_acquire(const float *a, float *sums, int n, int *flag) {
  ROW
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0)
    ;
  SUM
}
// CHECK-LABEL: plan of _Z9no_fencedPKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_fenced(const float *a, float *sums, int n, int *flag) {
  ROW
  while (*flag == 0)
    __threadfence();
  SUM
}
// CHECK-LABEL: plan of _Z11no_assemblyPKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_assembly(const float *a, float *sums, int n, int *flag) {
  ROW
  int seen;
  do
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  while (seen == 0);
  SUM
}
__device__ __noinline__ void take(int *lock) {
  while (atomicExch(lock, 1))
    ;
}
// CHECK-LABEL: plan of _Z9no_calledPKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_called(const float *a, float *sums, int n, int *lock) {
  ROW
  take(lock);
  SUM
  atomicExch(lock, 0);
}
// CHECK-LABEL: plan of _Z10no_pointerPKfPfiPFfS0_iE
// CHECK-NEXT: not staged: UnknownCallee
__global__ void no_pointer(const float *a, float *sums, int n, float (*f)(const float *, int)) {
  ROW
  SUM
  sums[row] = f(a, n);
}
// CHECK-LABEL: plan of _Z10no_countedPKfPfi
// CHECK-NEXT: not staged: PartialBarrier
__global__ void no_counted(const float *a, float *sums, int n) {
  ROW
  if (threadIdx.x < 64)
    __nvvm_barrier_sync_cnt(1, 64);
  SUM
}
// CHECK-LABEL: plan of _Z6no_barPKfPfi
// CHECK-NEXT: not staged: PartialBarrier
__global__ void no_bar(const float *a, float *sums, int n) {
  ROW
  if (threadIdx.x < 64)
    asm volatile("{ bar.arrive 0, 128; }");
  else
    asm volatile("bar.sync 0, 128;");
  SUM
}
// CHECK-LABEL: plan of _Z7no_exitPKfPfi
// CHECK-NEXT: not staged: EndsThreads
__global__ void no_exit(const float *a, float *sums, int n) {
  ROW
  if (a[row] < 0)
    asm volatile("exit;");
  SUM
}
// CHECK-LABEL: plan of _Z8no_labelPKfPfi
// CHECK-NEXT: not staged: AssemblyOnce
__global__ void no_label(const float *a, float *sums, int n) {
  ROW
  asm volatile(".reg .pred mine; setp.ne.s32 mine, %1, 0; selp.s32 %0, 1, 2, mine;" : "=r"(n) : "r"(n));
  SUM
}
struct Filter {
  float weights[8];
  int n;
};
// CHECK-LABEL: plan of _Z10no_changedPKfPfi6Filter
// CHECK-NEXT: not staged: ChangedParameter
__global__ void no_changed(const float *a, float *sums, int n, Filter f) {
  ROW
  for (int i = 0; i < f.n; i++)
    f.weights[i] *= a[row];
  SUM
  sums[row] = f.weights[n & 7];
}
// These go on whatever the others do: a number drawn, an update that begins anew only if another came before, a function that is known, a parameter
// that is read, assembly whose names are its own, memory that branches look at.
// CHECK-LABEL: plan of _Z5drawnPKfPfiPi
// CHECK-NOT: not staged: Waits
__global__ void drawn(const float *a, float *sums, int n, int *next) {
  for (int row = atomicAdd(next, 1); row < n; row = atomicAdd(next, 1)) {
    float s = 0;
    SUM
  }
}
// CHECK-LABEL: plan of _Z7highestPKfPiiS1_
// CHECK: tile
__global__ void highest(const float *a, int *sums, int n, int *most) {
  ROW
  SUM
  int old = *most, assumed;
  do {
    assumed = old;
    old = atomicCAS(most, assumed, max(assumed, sums[row]));
  } while (old != assumed);
}
__device__ __noinline__ float twice(float x) { return x * 2; }
// CHECK-LABEL: plan of _Z5knownPKfPfi6Filteri
// CHECK: tile
__global__ void known(const float *a, float *sums, int n, Filter f, int m) {
  ROW
  asm("{ .reg .pred mine; setp.ne.s32 mine, %1, 0; selp.s32 %0, 1, 2, mine; }" : "=r"(m) : "r"(m));
  SUM
  if (sums[row + m] > 0)
    sums[row] = twice(s) + f.weights[n & 7];
}
