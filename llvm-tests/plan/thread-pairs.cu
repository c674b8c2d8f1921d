// Guards that compare a thread's numbers along two dimensions bound the one that an index has by the extremes that the other has in the grid.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>,verify' -disable-output %t.ll
#define IDS int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y
#define PRODUCT(GUARD)                                                                                                                               \
  IDS;                                                                                                                                               \
  if (x >= n || y >= n)                                                                                                                              \
    return;                                                                                                                                          \
  if (!(GUARD))                                                                                                                                      \
    return;                                                                                                                                          \
  float s = 0;                                                                                                                                       \
  for (int i = 0; i < k; i++)                                                                                                                        \
    s += a[y * k + i] * b[i * n + x];                                                                                                                \
  c[y * n + x] = s;
#define PARAMETERS const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k
// CHECK-LABEL: plan of below
// CHECK: tile0: array0 a
// CHECK: reads offsets {{.*}}, tid.x <= {{.*}}, tid.y <= -ctaid.y*ntid.y + s{{[0-9]}} - 1{{(, when.*)?$}}
// CHECK: tile1: array1 b
// CHECK: reads offsets {{.*}} tid.x <= -ctaid.x*ntid.x + ntid.y*nctaid.y - 1, {{.*}} tid.y <=
extern "C" __global__ void below(PARAMETERS) { PRODUCT(x <= y) }
// The other way round a row is read by the last column.
// CHECK-LABEL: plan of above
// CHECK: tile0: array0 a
// CHECK: reads offsets {{.*}} tid.y <= -ctaid.y*ntid.y + ntid.x*nctaid.x - 3
// CHECK: tile1: array1 b
extern "C" __global__ void above(PARAMETERS) { PRODUCT(x >= y + 2) }
// A sum of both is least with the first of the other.
// CHECK-LABEL: plan of corner
// CHECK: tile0: array0 a
// CHECK: reads offsets {{.*}} tid.y <= -ctaid.y*ntid.y + s{{[0-9]}} - 3,
// CHECK: tile1: array1 b
// CHECK: reads offsets {{.*}} tid.x <= -ctaid.x*ntid.x + s{{[0-9]}} - 3,
extern "C" __global__ void corner(PARAMETERS) { PRODUCT(x + y <= n - 3) }
// Merged, as the bounds are those of the grid.
// CHECK-LABEL: plan of merged
// CHECK: merge {{[0-9]}}x
// CHECK: tile0: array0 a
extern "C" __global__ void merged(PARAMETERS) { PRODUCT(y > x) }
