// Arrays that are read under conditions on data, and stay where they are: for each reason one.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fgpu-rdc -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.rdc.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;force;form=own>' -disable-output %t.rdc.ll 2>&1 | %FileCheck %s -check-prefix=RDC
#define ID int i = blockIdx.x * blockDim.x + threadIdx.x
// The kernel writes the array: another block may be at it.
// CHECK-LABEL: plan of no_writer
// CHECK: array{{[0-9]}} x not staged: UnboundedGuard
extern "C" __global__ void no_writer(float *__restrict__ x, const int *__restrict__ mask, int n) {
  ID;
  float s = 0;
  for (int k = 0; k < n; k++)
    if (mask[k])
      s += x[k];
  x[n + i] = s;
}
// It writes where nobody knows.
// CHECK-LABEL: plan of no_scatter
// CHECK: array{{[0-9]}} x not staged: UnboundedGuard
extern "C" __global__ void no_scatter(const float *x, const int *mask, float *y, int n) {
  ID;
  float s = 0;
  for (int k = 0; k < n; k++)
    if (mask[k])
      s += x[k];
  y[mask[i]] = s;
}
// A condition that another thread's update may have made true.
// CHECK-LABEL: plan of no_message
// CHECK: array{{[0-9]}} x not staged: UnboundedGuard
extern "C" __global__ void no_message(const float *__restrict__ x, int *__restrict__ flag, float *__restrict__ y, int n) {
  ID;
  if (i < 1 || i >= n - 1)
    return;
  if (atomicAdd(&flag[i], 0))
    y[i] = x[i - 1] + x[i] + x[i + 1];
}
// CHECK-LABEL: plan of no_poll
// CHECK: array{{[0-9]}} x not staged: UnboundedGuard
extern "C" __global__ void no_poll(const float *__restrict__ x, const volatile int *__restrict__ flag, float *__restrict__ y, int n) {
  ID;
  if (i < 1 || i >= n - 1)
    return;
  if (flag[i])
    y[i] = x[i - 1] + x[i] + x[i + 1];
}
// Its address is the driver's.
// CHECK-LABEL: plan of no_address
// CHECK: array{{[0-9]}} table not staged: UnboundedGuard
__device__ float table[1024];
extern "C" __global__ void no_address(const int *__restrict__ mask, float *__restrict__ y, int n) {
  ID;
  float s = 0;
  for (int k = 0; k < n; k++)
    if (mask[k])
      s += table[k];
  y[i] = s;
}
// How far it reaches lies in memory.
// CHECK-LABEL: plan of no_length
// CHECK: array{{[0-9]}} x not staged: {{UnboundedGuard|NotAtEntry}}
__constant__ int length;
extern "C" __global__ void no_length(const float *__restrict__ x, const int *__restrict__ mask, float *__restrict__ y) {
  ID;
  float s = 0;
  for (int k = 0; k < length; k++)
    if (mask[k])
      s += x[k];
  y[i] = s;
}
// A store that may not happen is none of a copy.
// CHECK-LABEL: plan of no_store
// CHECK-NOT: in one allocation
// CHECK: array{{[0-9]}} y not staged
extern "C" __global__ void no_store(const int *__restrict__ mask, float *__restrict__ y, int n) {
  ID;
  for (int k = 0; k < n; k++)
    if (mask[k] > i)
      y[i * n + k] = k;
}
// Other files may have it: the version that another one's host launches would not be asked about. In a program of one file it is this one's.
// CHECK-LABEL: plan of {{.*}}of_files
// CHECK: in one allocation
// RDC-LABEL: plan of {{.*}}of_files
// RDC-NOT: in one allocation
// RDC: array{{[0-9]}} x not staged: UnboundedGuard
template <class T> __global__ void of_files(const T *__restrict__ x, const int *__restrict__ mask, T *__restrict__ y, int n) {
  ID;
  T s = 0;
  for (int k = 0; k < n; k++)
    if (mask[k])
      s += x[k];
  y[i] = s;
}
template __global__ void of_files<float>(const float *, const int *, float *, int);
