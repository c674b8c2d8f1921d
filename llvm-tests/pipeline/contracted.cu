// A sum takes a product that stands in another block, where the neighbours are loaded under conditions: the back end fuses the two, as nobody
// else takes the product (`nvptx-ir-peephole`), and rounds the other product by itself. So does every version, in all of its bodies.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -S %s -o - | %FileCheck %s -check-prefix=PTX

// The kernel as clang has it, and four threads' work in one.
// CHECK-LABEL: define {{.*}}void @step(
// CHECK: fmul contract double %own
// CHECK: fadd contract double
// CHECK-LABEL: define {{.*}}void @"step$mesi$0"(
// CHECK-NOT: mul.rn.d(double %own
// CHECK: %[[REST:[0-9a-z]+]] = fmul contract double %near
// CHECK-NEXT: call double @llvm.fmuladd.f64(double %own, {{.*}}, double %[[REST]])
// CHECK-NOT: mul.rn.d(double %own
// CHECK-NOT: fadd contract double {{.*}}%own
// CHECK-NOT: mesi.rounding
// PTX-LABEL: .entry step(
// PTX: ld.param.b64 %[[OWN:rd[0-9]+]], [step_param_4];
// PTX: fma.rn.f64 {{.*}} %[[OWN]],
extern "C" __global__ void step(const double *__restrict__ u, double *__restrict__ next, unsigned n, double near, double own) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n * n) {
    unsigned x = id % n, y = id / n;
    next[id] = own * u[id] + near * (x < n - 1 ? u[id + 1] : 0.0) + near * (x > 0 ? u[id - 1] : 0.0) +
               near * (y < n - 1 ? u[id + n] : 0.0) + near * (y > 0 ? u[id - n] : 0.0);
  }
}

// A product from outside a loop, which one sum of the loop takes: LLVM unrolls the loop, so several sums take the product and it fuses none. But
// ptxas does, as all takers are sums, and so do versions, however far they unroll.
// PTX-LABEL: .entry shifted(
// PTX-NOT: fma.rn.f32
// PTX: mul.f32
// PTX: sub.f32
// PTX-LABEL: .entry shifted$mesi$0(
// PTX-NOT: mul.rn.f32
// PTX: fma.rn.f32
// PTX-NOT: mul.rn.f32
extern "C" __global__ void shifted(const float *__restrict__ all, const float *__restrict__ at, float *__restrict__ out, float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float shift = scale * at[i], sum = 0;
  for (int k = 0; k < n; k++) {
    float d = all[k] - shift;
    sum = fmaxf(sum, d);
  }
  out[i] = sum;
}

// Here it is stored, too, and nobody fuses it.
// PTX-LABEL: .entry stored$mesi$0(
// PTX-NOT: fma.rn.f32
// PTX: mul.rn.f32
// PTX-NOT: fma.rn.f32
extern "C" __global__ void stored(const float *__restrict__ all, const float *__restrict__ at, float *__restrict__ out, float scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float shift = scale * at[i], sum = 0;
  for (int k = 0; k < n; k++) {
    float d = all[k] - shift;
    sum = fmaxf(sum, d);
  }
  out[i] = sum;
  out[i + n] = shift;
}
