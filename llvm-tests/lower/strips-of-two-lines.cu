// Blocks of one warp have strips of 64 iterations, two lines of floats, if all rows lie aligned for 16-byte copies: a warp
// that copied such a row element by element would not stay in its columns.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<disable=off>' -S %t.ll | %FileCheck %s
// PLAN: loop0 in strips of 8, depth 3, 16 depth 4 if they fit, 32 depth 4 if they fit, 64 depth 4 if they fit
// PLAN: launched by the host in blocks of 32 threads in place of 33 to 1024 in grids of 1 to
// Addresses and the distance from row to row are looked at together.
// CHECK: %[[A:.*]] = ptrtoint ptr %{{.*}} to i64
// CHECK: %[[ROWS:.*]] = and i32 %{{.*}}, 15
// CHECK-NEXT: %[[WIDE:.*]] = icmp eq i32 %[[ROWS]], 0
// CHECK: %[[LONG:.*]] = and i1 %{{.*}}, %[[WIDE]]
// CHECK: zext i1 %[[LONG]] to i32
__global__ void by_rows(const float *a, const float *x, float *y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += a[row * n + i] * x[i];
    y[row] = sum;
  }
}
