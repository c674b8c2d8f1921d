// With -fgpu-rdc clang has a kernel ask for a variable of the file by its old name, where host code that comes behind gives it a new one, and lists kernels that other
// files define as if they were functions: nvlink binds neither. Mended at all levels; with the plug-in disabled clang's code stays what it is.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O2 -fpass-plugin=%mesi -emit-llvm -S %s -o - | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O0 -fpass-plugin=%mesi -emit-llvm -S %s -o - | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O2 -fpass-plugin=%mesi -mllvm -mesi-disable -emit-llvm -S %s -o - | %FileCheck %s -check-prefix=OFF
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O2 -fpass-plugin=%mesi -S %s -o %t.ptx && %not grep -E "extern .func _Z9|_ZL5table\[|[^_]_ZL5table;" %t.ptx
// OFF-DAG: @_ZL5table = external
// OFF-DAG: @__clang_gpu_used_external = {{.*}}@_Z9elsewherePi
// CHECK-NOT: @_ZL5table = external
// CHECK-NOT: @_ZN12_GLOBAL__N_14sizeE = external
// CHECK-DAG: @_ZL5table__static__{{[0-9a-f]+}} = {{.*}}constant [4 x i32]
// CHECK-DAG: @_ZN12_GLOBAL__N_14sizeE__static__{{[0-9a-f]+}} =
// CHECK-DAG: @__clang_gpu_used_external = internal global [1 x ptr] zeroinitializer
// A function of another file is what it was.
// CHECK-LABEL: define {{.*}} @_Z4herePi(
// CHECK: @_ZL5table__static__
// CHECK: declare {{.*}} @_Z6helperi(
static __constant__ int table[4];
namespace {
__device__ int size;
}
extern __device__ int helper(int);
__global__ void elsewhere(int *p);
__global__ void here(int *p) { p[threadIdx.x] = table[threadIdx.x & 3] * size + helper(threadIdx.x); }
int main() {
  int *p = 0, h[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(table, h, sizeof h);
  cudaMemcpyToSymbol(size, h, 4);
  elsewhere<<<1, 32>>>(p);
  here<<<1, 32>>>(p);
  return 0;
}
