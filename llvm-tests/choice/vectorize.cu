// Loops by the block's size that run over neighbours: the plan, the launch, the code.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -mesi-unroll=1 -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=ROLLED
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -S %s -o - | %FileCheck %s -check-prefix=PTX

// PLAN-LABEL: plan of bytes
// PLAN: {{^ *}}vectorize: 1 loop, 8 iterations at a time, in blocks of any length
// Blocks are no longer than 256, nor than the row, where there are 1024 of them.
// GATE-LABEL: define zeroext i1 @"bytes$mesi${{[0-9]}}$fold$gate"
// GATE-DAG: icmp ult i64 {{.*}}, 256
// GATE-DAG: udiv i64 {{.*}}, 256
// GATE-DAG: icmp uge i64 {{.*}}, 1024
// GATE: store i32
// CODE-LABEL: define {{.*}} @"bytes$mesi$
// CODE: vector.tests:
// CODE: [[BEFORE:%[0-9]+]] = and i32 {{.*}}, 7
// CODE: [[CHUNKS:%[0-9]+]] = select i1 {{.*}}, i32 {{.*}}, i32 0
// CODE: [[DONE:%[0-9]+]] = mul i32 [[CHUNKS]], 8
// CODE: [[LEFT:%[0-9]+]] = sub i32 %n, [[DONE]]
// CODE: vector:
// CODE: load <8 x half>, {{.*}}, align 16
// CODE: extractelement <8 x half> {{.*}}, i32 7
// CODE: store <8 x i8> {{.*}}, align 8
// CODE: icmp ult i32 {{.*}}, [[CHUNKS]]
// CODE: vector.rest:
// CODE: icmp slt i32 {{.*}}, [[LEFT]]
// What is left comes before the chunks and behind them.
// CODE: [[IS_BEFORE:%[0-9]+]] = icmp ult i32 [[E:%[0-9]+]], [[BEFORE]]
// CODE: [[BEHIND:%[0-9]+]] = add i32 [[E]], [[DONE]]
// CODE: select i1 [[IS_BEFORE]], i32 [[E]], i32 [[BEHIND]]
// PTX-LABEL: .entry bytes$mesi$
// PTX: ld.global.nc.v4.b32
// PTX: st.global.v2.b32
extern "C" __global__ void bytes(signed char *__restrict__ o, const _Float16 *__restrict__ a, float scale, int n) {
  o += (long long)blockIdx.x * n;
  a += (long long)blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = (signed char)((float)a[i] / scale);
}
// Arrays that may meet: neither begins within the other, or they are the same.
// PLAN-LABEL: plan of in_place
// PLAN: {{^ *}}vectorize: 1 loop, 4 iterations at a time, in blocks of any length
// CODE-LABEL: define {{.*}} @"in_place$mesi$
// CODE: vector.tests:
// CODE: icmp uge i64
// CODE-NEXT: icmp eq i64 {{.*}}, 0
extern "C" __global__ void in_place(float *x, const float *bias, int n) {
  float *row = x + (long long)blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] += bias[i];
}
// Behind a barrier: in the program's blocks alone. What all threads load is no array that is stored.
// PLAN-LABEL: plan of behind
// PLAN: {{^ *}}vectorize: 1 loop, 4 iterations at a time{{$}}
extern "C" __global__ void behind(float *x, const float *m, int n) {
  __shared__ float most;
  float *row = x + (long long)blockIdx.x * n;
  if (threadIdx.x == 0) most = m[blockIdx.x] + row[0];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] /= most;
}
// Several blocks of code, rows along y, a counter of 64 bits.
// PLAN-LABEL: plan of parts
// PLAN: {{^ *}}vectorize: 1 loop, 16 iterations at a time, in blocks of any length
// CODE-LABEL: define {{.*}} @"parts$mesi$
// CODE: load <16 x i8>, {{.*}}, align 16
// CODE: vector.part{{.*}}:
// CODE: store <16 x i8> {{.*}}, align 16
extern "C" __global__ void parts(unsigned char *x, long long n, int rows) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) {
    int v = x[row * n + i];
    if (v > 100) v = v * v / 255;
    else if (v > 50) v = v / 3 + 100;
    x[row * n + i] = v;
  }
}
// By a number: in blocks of that length alone.
// PLAN-LABEL: plan of by_number
// PLAN: {{^ *}}vectorize: 1 loop, 4 iterations at a time{{$}}
// GATE-LABEL: define zeroext i1 @"by_number$mesi${{[0-9]}}$fold$gate"
// GATE: icmp eq i64 {{.*}}, 128
// CODE-LABEL: define {{.*}} @"by_number$mesi$
// CODE: vector:
// CODE: load <4 x float>, {{.*}}, align 16
// CODE: add i32 {{.*}}, 128
// CODE: vector.rest:
extern "C" __global__ void by_number(float *x, const float *bias, int n) {
  float *row = x + (long long)blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += 128) row[i] += bias[i];
}
// The other loops over the row are unrolled: 8 loads at a time, then 4, 2 and 1, and the sum in its order.
// PLAN-LABEL: plan of mean
// PLAN: {{^ *}}vectorize: 1 loop, 4 iterations at a time{{$}}
// CODE-LABEL: define {{.*}} @"mean$mesi$3"
// CODE: mesi.body:
// CODE-COUNT-8: load float,
// CODE-COUNT-7: load float,
// CODE: load <4 x float>
// Unless nothing is to be.
// ROLLED-LABEL: define {{.*}} @"mean$mesi$2"
// ROLLED: vector:
// ROLLED-NOT: mesi.body:
extern "C" __global__ void mean(float *x, int n) {
  __shared__ float sums[1024];
  float *row = x + (long long)blockIdx.x * n, sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += row[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < blockDim.x; k++) sum += sums[k];
  for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] -= sum / n;
}
