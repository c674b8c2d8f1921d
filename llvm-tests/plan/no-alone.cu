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
// Numbers that are put back where they are no good, of which a part is asked for, or that must be one certain number.
// CHECK-LABEL: plan of _Z12no_semaphorePKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_semaphore(const float *a, float *sums, int n, int *left) {
  ROW
  while (atomicSub(left, 1) < 1)
    atomicAdd(left, 1);
  SUM
  atomicAdd(left, 1);
}
// CHECK-LABEL: plan of _Z9no_maskedPKfPfiPj
// CHECK-NEXT: not staged: Waits
__global__ void no_masked(const float *a, float *sums, int n, unsigned *lock) {
  ROW
  while (atomicAdd(lock, 1) & 0xff00)
    ;
  SUM
  atomicAnd(lock, 0xff);
}
// CHECK-LABEL: plan of _Z8no_firstPKfPfiPj
// CHECK-NEXT: not staged: Waits
__global__ void no_first(const float *a, float *sums, int n, unsigned *lock) {
  ROW
  while (atomicAdd(lock, 1) != 0)
    ;
  SUM
  atomicExch(lock, 0);
}
// CHECK-LABEL: plan of _Z7no_highPKfPfiPj
// CHECK-NEXT: not staged: Waits
__global__ void no_high(const float *a, float *sums, int n, unsigned *lock) {
  ROW
  while (atomicAdd(lock, 1) > 2)
    ;
  SUM
  atomicExch(lock, 0);
}
// An update of a part of what was found fails as long as the rest is not as it should be; one that is tried again though it was done.
// CHECK-LABEL: plan of _Z6no_bitPKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_bit(const float *a, float *sums, int n, int *lock) {
  ROW
  int old = 0, open;
  do {
    open = old & ~1;
    old = atomicCAS(lock, open, open | 1);
  } while (old != open);
  SUM
  atomicAnd(lock, ~1);
}
// CHECK-LABEL: plan of _Z7no_donePKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_done(const float *a, float *sums, int n, int *lock) {
  ROW
  int old = 0;
  do
    old = atomicCAS(lock, old, 1);
  while (old == 1);
  SUM
  atomicExch(lock, 0);
}
// What is polled goes through memory: out of a function, to and from an array of its own, to the block's other threads.
__device__ __noinline__ void taken(int *lock, int *got) { *got = atomicCAS(lock, 0, 1) == 0; }
// CHECK-LABEL: plan of _Z6no_outPKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_out(const float *a, float *sums, int n, int *lock) {
  ROW
  int got;
  do
    taken(lock, &got);
  while (!got);
  SUM
  atomicExch(lock, 0);
}
// CHECK-LABEL: plan of _Z8no_localPKfPfiPi
// CHECK-NEXT: not staged: Waits
__global__ void no_local(const float *a, float *sums, int n, int *lock) {
  ROW
  int got[2] = {0, 0}, t = 0;
  do {
    got[t] = atomicCAS(lock, 0, 1);
    t = (t + n) & 1;
  } while (got[0] | got[t] * n);
  SUM
  atomicExch(lock, 0);
}
// CHECK-LABEL: plan of _Z7no_toldPKfPfiPii
// CHECK-NEXT: not staged: Waits
__global__ void no_told(const float *a, float *sums, int n, int *arrived, int blocks) {
  __shared__ int go;
  ROW
  if (threadIdx.x == 0)
    atomicAdd(arrived, 1);
  do {
    __syncthreads();
    if (threadIdx.x == 0)
      go = atomicAdd(arrived, 0) >= blocks;
    __syncthreads();
  } while (!go);
  SUM
}
// CHECK-LABEL: plan of _Z6no_retPKfPfi
// CHECK-NEXT: not staged: EndsThreads
__global__ void no_ret(const float *a, float *sums, int n) {
  ROW
  asm volatile("{ .reg .pred p; setp.lt.f32 p, %0, 0f00000000; @p ret; }" ::"f"(a[row]));
  SUM
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
// CHECK-LABEL: plan of _Z10drawn_downPKfPfiPi
// CHECK-NOT: not staged: Waits
__global__ void drawn_down(const float *a, float *sums, int n, int *left) {
  int row;
  while ((row = atomicSub(left, 1)) > 0) {
    float s = 0;
    SUM
  }
}
// CHECK-LABEL: plan of _Z9drawn_forPKfPfiPi
// CHECK-NOT: not staged: Waits
__global__ void drawn_for(const float *a, float *sums, int n, int *next) {
  __shared__ int first;
  while (true) {
    if (threadIdx.x == 0)
      first = atomicAdd(next, 64);
    __syncthreads();
    int row = first + threadIdx.x;
    if (first >= n)
      break;
    if (row < n && a[row] > 0) {
      float s = 0;
      SUM
    }
    __syncthreads();
  }
}
// CHECK-LABEL: plan of _Z6appendPKfPfiPii
// CHECK: tile
__global__ void append(const float *a, float *sums, int n, int *length, int most) {
  ROW
  SUM
  for (int i = 0; i < n; i++)
    if (a[row * n + i] > 0) {
      int at = atomicAdd(length, 1);
      if (at < most)
        sums[gridDim.x * blockDim.x + at] = row;
    }
}
// CHECK-LABEL: plan of _Z5addedPKfPfiPyi
// CHECK: tile
__global__ void added(const float *a, float *sums, int n, unsigned long long *totals, int m) {
  ROW
  SUM
  for (int i = 0; i < m; i++) {
    unsigned long long old = totals[i], assumed;
    do {
      assumed = old;
      old = atomicCAS(&totals[i], assumed, __double_as_longlong(s + __longlong_as_double(assumed)));
    } while (assumed != old);
  }
}
// CHECK-LABEL: plan of _Z8greatestPKfPfiPi
// CHECK: tile
__global__ void greatest(const float *a, float *sums, int n, int *most) {
  ROW
  SUM
  int old = *most, assumed = old + 1;
  while (s > __int_as_float(old) && old != assumed) {
    assumed = old;
    old = atomicCAS(most, assumed, __float_as_int(s));
  }
}
// What is added up atomically is not what the loop reads.
// CHECK-LABEL: plan of _Z5talliPKfPfiPi
// CHECK: tile
__global__ void talli(const float *a, float *sums, int n, int *total) {
  ROW
  SUM
  for (int i = 0; i < n; i++)
    if (a[row * n + i] > 0)
      atomicAdd(total, row);
}
// A function that only reads it changes nothing.
// CHECK-LABEL: plan of _Z6lookedPKfPfi6Filter
// CHECK-NOT: ChangedParameter
__device__ __noinline__ float weigh(const Filter &f, int i) {
  return f.weights[i & 7] * f.n;
}
__global__ void looked(const float *a, float *sums, int n, Filter f) {
  ROW
  SUM
  sums[row] = weigh(f, n);
}
// CHECK-LABEL: plan of _Z10no_changerPKfPfi6Filter
// CHECK-NEXT: not staged: ChangedParameter
__device__ __noinline__ float change(Filter &f, int i) {
  return f.weights[i & 7] *= 2;
}
__global__ void no_changer(const float *a, float *sums, int n, Filter f) {
  ROW
  SUM
  sums[row] = change(f, n) + f.weights[0];
}
