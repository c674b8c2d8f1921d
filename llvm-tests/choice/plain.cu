// Launches turned away that run the kernel as clang makes it: loops of less than two rounds in grids of more threads than have 64 registers each, blocks of
// more than 128 threads. The original beside the kernel, with longer loops and more registers, runs the others.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: plan of _Z7productPKfS0_Pfiii
// CHECK: turned away, as it was: trip(loop0) <= 31
// CHECK-NEXT: turned away, as it was: 129 <= ntid.x*ntid.y
// CHECK-NEXT: turned away, as it was: 135169 <= ntid.x*ntid.y*nctaid.x*nctaid.y
// Every innermost loop is short; how long those around them are does not matter.
// CHECK-LABEL: plan of _Z7nearestPKfS0_Piiii
// CHECK: turned away, as it was: trip(loop1) <= 31
// CHECK-NEXT: turned away, as it was: 129 <= ntid.x
// CHECK-LABEL: plan of _Z6twicesPKfPfiii
// CHECK: turned away, as it was: trip(loop0) <= 31
// CHECK-NEXT: turned away, as it was: trip(loop1) <= 31
// What comes again and again is in L1, and gets no registers; rows of a constant length are LLVM's to unroll.
// CHECK-LABEL: plan of _Z6reusedPKfS0_Pfiii
// CHECK-NOT: turned away
// CHECK-LABEL: plan of _Z5fixedPKfS0_Pfi
// CHECK-NOT: turned away
// Where each thread has a length of its own, it may be a long one.
// CHECK-LABEL: plan of _Z5lowerPKfPfi
// CHECK-NOT: turned away
// CHECK-LABEL: plan of _Z6limitsPKfPfi

// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=FORCE
// FORCE-NOT: turned away

// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// GATE: define zeroext i1 @"_Z7productPKfS0_Pfiii$original$gate"(ptr %{{.*}}, ptr %{{.*}})
// GATE-DAG: icmp ule i32 %{{.*}}, 31
// GATE-DAG: icmp uge i32 %{{.*}}, 129
// GATE-DAG: icmp {{uge|sge|sle}} i64 {{.*}}135169
// GATE: xor i1
// GATE: ret i1 false

// The kernel holds nothing of the question, and the third is the kernel as clang makes it.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -S -emit-llvm -fpass-plugin=%mesi %s -o %t.end.ll
// RUN: %FileCheck %s -check-prefix=END < %t.end.ll
// END-NOT: mesi.plain
// END-NOT: mesi.longer
// END: define {{.*}}@"_Z7productPKfS0_Pfiii$original"({{.*}} #[[MORE:[0-9]+]]
// END: mesi.group
// END: define {{.*}}@"_Z7productPKfS0_Pfiii$plain"({{.*}} #[[LIKE:[0-9]+]]
// END-NOT: mesi.
// END: ret void
// END-NOT: {{(reused|fixed|lower|limits).*plain}}
// END: attributes #[[MORE]] = {{.*}}"nvvm.maxnreg"="64"
// END: attributes #[[LIKE]] = {
// END-NOT: nvvm.maxnreg
// END-SAME: }

// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.o
// RUN: %clang %t.o %t.runtime.o -o %t.exe && %t.exe | %FileCheck %s -check-prefix=RUNS
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}
__global__ void nearest(const float *points, const float *centres, int *out, int n, int count, int numbers) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float best = 3e38f;
  int which = 0;
  for (int j = 0; j < count; j++) {
    float d = 0;
    for (int l = 0; l < numbers; l++) {
      float t = points[i * numbers + l] - centres[j * numbers + l];
      d += t * t;
    }
    if (d < best)
      best = d, which = j;
  }
  out[i] = which;
}
__global__ void twices(const float *a, float *out, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  float s = 0, t = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  for (int i = 0; i < k; i++)
    t += a[row * k + i] * a[i];
  out[row] = s * t;
}
__global__ void reused(const float *x, const float *f, float *y, int n, int bands, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float total = 0;
    for (int b = 0; b < bands; b++) {
      float sum = 0;
      for (int t = 0; t < taps; t++)
        sum += x[i + t] * f[b];
      total += sum * sum;
    }
    y[i] = total;
  }
}
__global__ void fixed(const float *a, const float *x, float *y, int m) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m)
    for (int i = 0; i < 96; i++)
      y[row] += a[row * 96 + i] * x[i];
}
__global__ void lower(const float *a, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int j = 0; j <= i; j++)
      s += a[i * n + j];
    c[i] = s;
  }
}
__global__ void __launch_bounds__(256, 4) limits(const float *a, float *sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
void run(dim3 grid, dim3 block, int k) {
  float *p = (float *)0x7f0000000000;
  product<<<grid, block>>>(p, p + (1 << 26), p + (1 << 27), grid.y * block.y, grid.x * block.x, k);
}
int main() {
  // RUNS: grid 1 529 1 block 64 4 1 shared 0: _Z7productPKfS0_Pfiii$plain{{$}}
  run(dim3(1, 529), dim3(64, 4), 31);
  // RUNS: grid 1 529 1 block 64 4 1 shared 0: _Z7productPKfS0_Pfiii$original{{$}}
  run(dim3(1, 529), dim3(64, 4), 32);
  // RUNS: grid 1 528 1 block 64 4 1 shared 0: _Z7productPKfS0_Pfiii$original{{$}}
  run(dim3(1, 528), dim3(64, 4), 31);
  // RUNS: grid 43 33 1 block 16 8 1 shared 0: _Z7productPKfS0_Pfiii$original{{$}}
  run(dim3(43, 33), dim3(16, 8), 17);
  // RUNS: grid 43 33 1 block 16 9 1 shared 0: _Z7productPKfS0_Pfiii$plain{{$}}
  run(dim3(43, 33), dim3(16, 9), 17);
  // RUNS: grid 32 128 1 block 32 8 1 shared 0: _Z7productPKfS0_Pfiii$plain{{$}}
  run(dim3(32, 32), dim3(32, 32), 0);
  // RUNS: grid 256 256 1 block 16 16 1 shared 0: _Z7productPKfS0_Pfiii{{$}}
  run(dim3(256, 256), dim3(16, 16), 4096);
  float *p = (float *)0x7f0000000000;
  // Both loops are short, or the original runs.
  // RUNS: grid 8192 1 1 block 256 1 1 shared 0: _Z6twicesPKfPfiii$plain{{$}}
  twices<<<8192, 256>>>(p, p + (1 << 26), 1 << 21, 31, 31);
  // RUNS: grid 8192 1 1 block 256 1 1 shared 0: _Z6twicesPKfPfiii$original{{$}}
  twices<<<8192, 256>>>(p, p + (1 << 26), 1 << 21, 31, 32);
  // RUNS: grid 8192 1 1 block 256 1 1 shared 0: _Z6twicesPKfPfiii$original{{$}}
  twices<<<8192, 256>>>(p, p + (1 << 26), 1 << 21, 33, 31);
  // Dynamic shared memory beside which there is room for all: as without; beyond what needs no leave it is the kernel's.
  // RUNS: grid 1 529 1 block 64 4 1 shared 64: _Z7productPKfS0_Pfiii$plain{{$}}
  product<<<dim3(1, 529), dim3(64, 4), 64>>>(p, p + (1 << 26), p + (1 << 27), 2116, 64, 17);
  // RUNS: grid 1 529 1 block 64 4 1 shared 65536: _Z7productPKfS0_Pfiii{{$}}
  product<<<dim3(1, 529), dim3(64, 4), 64 << 10>>>(p, p + (1 << 26), p + (1 << 27), 2116, 64, 17);
  // RUNS: grid 4096 1 1 block 256 1 1 shared 0: _Z6reusedPKfS0_Pfiii$original{{$}}
  reused<<<4096, 256>>>(p, p + (1 << 26), p + (1 << 27), 1 << 20, 1, 3);
}
