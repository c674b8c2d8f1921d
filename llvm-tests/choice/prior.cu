// What is launched before anything was measured, where the model has no plan to look at: versions that are written in another way, and copies as they are.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.o
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN

// Lanes load an eighth of what threads ask for, if there are enough iterations for 32 of them. Large is a launch whose threads take long, or of which
// one does.
// GATE-LABEL: define zeroext i1 @"rows$mesi$1$pays$gate"
// GATE: icmp sle i32 128, %[[#]]
// GATE-LABEL: define zeroext i1 @"rows$mesi$0$large$gate"
// GATE: [[ALL:%[0-9]+]] = icmp sle i64 [[#]], %[[#]]
// GATE: [[ONE:%[0-9]+]] = icmp sle i32 [[#]], %[[#]]
// GATE: or i1 [[ALL]], [[ONE]]
extern "C" __global__ void rows(const int *__restrict__ a, int *__restrict__ s, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  int sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[i * n + k];
  s[i] = sum;
}

// Neighbours of a column are neighbouring threads': of that version the model is never sure.
// GATE-LABEL: define zeroext i1 @"columns$mesi$1$pays$gate"
// GATE-NEXT: ret i1 false
extern "C" __global__ void columns(const int *__restrict__ a, int *__restrict__ s, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  int sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[k * m + i];
  s[i] = sum;
}

// What all threads read alike they load once for all of a warp, as it is: no more than lanes would.
// GATE-LABEL: define zeroext i1 @"table$mesi$2$pays$gate"
// GATE-NEXT: ret i1 false
extern "C" __global__ void table(const int *__restrict__ a, const int *__restrict__ t, int *__restrict__ s, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  int sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[i] * t[k];
  s[i] = sum;
}

// A block of the tensor cores' version for each multiprocessor, and long sums.
// GATE-LABEL: define zeroext i1 @"bytes$mesi$1$pays$gate"
// GATE-DAG: icmp sle i64 132, %[[#]]
// GATE-DAG: icmp sle i32 128, %[[#]]
extern "C" __global__ void bytes(const signed char *__restrict__ a, const signed char *__restrict__ b, int *__restrict__ c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= m)
    return;
  int s = 0;
  for (int i = 0; i < k; i++)
    s += a[y * k + i] * b[i * n + x];
  c[y * n + x] = s;
}

// Neighbours of a row are iterations of one thread, and threads of the copy; what is planned for the copy is compared with the kernel, not with the copy.
// PLAN-LABEL: plan of scaled$mesi$copy
// PLAN: pays: 2048 <= ntid.x*ntid.y*nctaid.x*nctaid.y
// GATE-LABEL: define zeroext i1 @"scaled$mesi$0$pays$gate"
// GATE: icmp sle i64 2048
extern "C" __global__ void scaled(const float *__restrict__ a, float *__restrict__ y, unsigned m, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  for (unsigned k = 0; k < n; k++)
    y[i * n + k] = 2.0f * a[i * n + k];
}

// Rows that are summed up in order and stored: lanes load and store an eighth of the sectors. Sums alone are not.
// GATE-LABEL: define zeroext i1 @"centred$mesi$2$pays$gate"
// GATE: icmp sle i32 128, %[[#]]
// GATE-LABEL: define zeroext i1 @"summed$mesi$2$pays$gate"
// GATE-NEXT: ret i1 false
extern "C" __global__ void centred(const float *__restrict__ a, float *__restrict__ y, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[i * n + k];
  for (int k = 0; k < n; k++)
    y[i * n + k] = a[i * n + k] - s;
}
extern "C" __global__ void summed(const float *__restrict__ a, float *__restrict__ y, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[i * n + k];
  y[i] = s;
}

// Most lanes of warps of blocks of up to 8 threads are idle.
// GATE-LABEL: define zeroext i1 @"small$mesi$1$pays$gate"
// GATE-DAG: icmp sle i64 132, %[[#]]
// GATE-DAG: icmp sle i32 %[[#]], 8
extern "C" __global__ void small(float *a) {
  float v = a[blockIdx.x * 6 + threadIdx.x];
  a[blockIdx.x * 6 + threadIdx.x] = v * v + blockIdx.x;
}

// A kernel's flattened ids are taken apart, and the axes exchanged: how long an iteration took before says the copy in between.
// GATE-LABEL: define zeroext i1 @"turned$mesi$1$pays$gate"
// GATE-NOT: ret i1
// GATE: icmp sle i64 132
extern "C" __global__ void turned(const float *__restrict__ a, float *__restrict__ y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h)
    return;
  int col = i / h, row = i % h;
  y[row * w + col] = 2 * a[row * w + col];
}

// Threads that deal elements out among them have several in flight, which threads of the copy do not: what gains over the copy may gain nothing over the kernel.
// PLAN-LABEL: plan of dealt$mesi$copy
// PLAN: pays: 1 <= 0
extern "C" __global__ void dealt(const unsigned char *__restrict__ a, unsigned char *__restrict__ y, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = 2 * a[i];
}

// Rows of a few elements lie in sectors that L1 still has.
// PLAN-LABEL: plan of distances
// PLAN: pays: 32 <= trip(loop0)
extern "C" __global__ void distances(const float *__restrict__ p, float *__restrict__ d, int n, int dim) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  float s = 0;
  for (int k = 0; k < dim; k++)
    s += (p[i * dim + k] - p[j * dim + k]) * (p[i * dim + k] - p[j * dim + k]);
  d[i * n + j] = s;
}

// Nothing is planned for the copy of a kernel that stores in place: as it is, its blocks must fill the chip.
// GATE-LABEL: define zeroext i1 @"flipped$mesi$[[#]]$pays$gate"
// GATE: icmp sle i64 132
extern "C" __global__ void flipped(float *y, unsigned m, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m)
    return;
  for (unsigned k = 0; k < n; k++)
    y[i * n + k] = -y[i * n + k];
}

// Threads deal a grid's elements out among them: how many there are says how large a launch is, not how many threads.
// PLAN-LABEL: plan of counts
// PLAN: pays: {{[0-9]+}} <= s0
// GATE-LABEL: define zeroext i1 @"counts$mesi$0$large$gate"
// GATE-NOT: or i1
// GATE: ret i1
extern "C" __global__ void counts(const unsigned char *data, unsigned *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&bins[data[i]], 1u);
}

// Of how many cells data may say nobody knows here, so updates may be of others than those in shared memory: it is sure of nothing.
// GATE-LABEL: define zeroext i1 @"wide_counts$mesi$0$pays$gate"
// GATE-NEXT: ret i1 false
extern "C" __global__ void wide_counts(const unsigned short *data, unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[data[i]], 1u);
}

// How long a loop runs that is left from several places nobody knows; of one that is not the model is sure.
// GATE-LABEL: define zeroext i1 @"first_of$mesi$0$pays$gate"
// GATE-NEXT: ret i1 false
// GATE-LABEL: define zeroext i1 @"last_of$mesi$0$pays$gate"
// GATE-NOT: ret i1 false
// GATE: icmp sle
extern "C" __global__ void first_of(const float *__restrict__ x, const float *__restrict__ table, int *__restrict__ where, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i] + x[i + 1] + x[i + 2];
  int k = 0;
  for (; k < m; k++)
    if (table[k] >= v)
      break;
  where[i] = k;
}
extern "C" __global__ void last_of(const float *__restrict__ x, const float *__restrict__ table, int *__restrict__ where, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i];
  int last = 0;
  for (int k = 0; k < m; k++)
    if (table[k] >= v)
      last = k;
  where[i] = last;
}

int main() {
  char *p = (char *)0x10000000;
  int *a = (int *)p, *b = (int *)(p + (1l << 34));
  float *x = (float *)a, *y = (float *)b;
  signed char *c = (signed char *)p, *d = c + (1l << 33);
  // CHECK: grid 256 1 1 block 256 1 1 shared 0: rows$mesi$1
  rows<<<8, 256>>>(a, b, 2048, 4096);
  // Of tiles it is sure there, too.
  // CHECK: : rows$mesi$0
  rows<<<8, 256>>>(a, b, 2048, 100);
  // CHECK: : columns{{$}}
  columns<<<8, 256>>>(a, b, 2048, 4096);
  // CHECK: grid 16 16 1 block 256 1 1 shared 0: bytes$mesi$1
  bytes<<<dim3(128, 128), dim3(16, 16)>>>(c, d, b, 2048, 2048, 2048);
  // CHECK: : bytes{{$}}
  bytes<<<dim3(4, 4), dim3(16, 16)>>>(c, d, b, 64, 64, 2048);
  // CHECK: grid 2048 48 1 block 32 8 1 shared 0: scaled$mesi$
  scaled<<<12, 32>>>(x, y, 384, 65536);
  // CHECK: grid 2048 48 1 block 32 8 1 shared 0: flipped$mesi$
  flipped<<<12, 32>>>(x, 384, 65536);
  // CHECK: : flipped{{$}}
  flipped<<<1, 1>>>(x, 1, 1);
  // CHECK: block 64 1 1 shared 0: centred$mesi$2
  centred<<<8, 256>>>(x, y, 2048, 4096);
  // CHECK: block 6 1 {{[0-9]+}} shared 0: small$mesi$1
  small<<<100000, 6>>>(x);
  // CHECK: : small{{$}}
  small<<<100000, 16>>>(x);
  // CHECK: : small{{$}}
  small<<<100, 6>>>(x);
  // CHECK: grid 16 1 1 block 256 1 1 shared 0: counts$mesi$0
  counts<<<16, 256>>>((unsigned char *)p, (unsigned *)b, 1 << 26);
  // CHECK: grid 16 1 1 block 256 1 1 shared 0: counts{{$}}
  counts<<<16, 256>>>((unsigned char *)p, (unsigned *)b, 1 << 12);
  return 0;
}
