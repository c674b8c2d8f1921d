// Arrays of each thread's own that counters of fixed loops index are registers in a version, whose loops are unrolled where clang leaves them as they are, and the arrays in
// local memory. It is launched as the program launches its kernel, in blocks alone whose threads have registers for it.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -S %s -o %t.ptx 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll -o %t.own.ll
// RUN: %FileCheck %s -check-prefix=CODE < %t.own.ll
// REMARK-DAG: tile: arrays of each thread's own can be registers: 1 of 256 bytes, by 2 loops unrolled, in blocks of at most 512 threads
// REMARK-DAG: bounded: arrays of each thread's own can be registers: 1 of 256 bytes, by 2 loops unrolled{{$| \[}}
// PLAN-LABEL: plan of tile
// PLAN: no local_columns: its arrays are indexed by counters of fixed loops alone
// PLAN-NEXT: local_columns: 1 of 256 bytes, by 2 loops unrolled, in blocks of at most 512 threads
// GATE-LABEL: define {{.*}} @"tile$mesi$2$gate"
// GATE: icmp ule i64 {{.*}}, 512
// CODE-LABEL: define {{.*}} @tile(
// CODE: alloca [8 x [8 x float]]
// CODE: define {{.*}} @"tile$mesi$2"({{.*}} #[[ATTRIBUTES:[0-9]+]]
// CODE-NOT: alloca
// CODE: ret void
// CODE-LABEL: define {{.*}} @"bounded$mesi$0"(
// CODE: attributes #[[ATTRIBUTES]] = { {{.*}}"nvvm.maxntid"="512"
#define BODY                                                                                                        \
  int row = 8 * (blockIdx.y * blockDim.y + threadIdx.y), col = 8 * (blockIdx.x * blockDim.x + threadIdx.x);        \
  if (row >= m || col >= n) return;                                                                                  \
  float sums[8][8] = {};                                                                                            \
  for (int s = 0; s < k; s += 4)                                                                                    \
    for (int i = 0; i < 8; i++) {                                                                                   \
      float4 x = *(const float4 *)(a + (row + i) * k + s);                                                           \
      for (int j = 0; j < 8; j++) {                                                                                 \
        float4 y = *(const float4 *)(b + (col + j) * k + s);                                                         \
        sums[i][j] += x.x * y.x;                                                                                    \
        sums[i][j] += x.y * y.y;                                                                                    \
        sums[i][j] += x.z * y.z;                                                                                    \
        sums[i][j] += x.w * y.w;                                                                                    \
      }                                                                                                             \
    }                                                                                                               \
  for (int i = 0; i < 8; i++)                                                                                       \
    for (int j = 0; j < 8; j++) c[(row + i) * n + col + j] = sums[i][j];
extern "C" __global__ void tile(const float *a, const float *b, float *c, int m, int n, int k) { BODY }
extern "C" __global__ void __launch_bounds__(256) bounded(const float *a, const float *b, float *c, int m, int n, int k) { BODY }
