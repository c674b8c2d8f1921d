// What becomes of host code: the versions are registered behind the kernel, and every launch, inlined ones too, asks the run-time part.
// REQUIRES: cuda
// RUN: rm -rf %t.d && mkdir -p %t.d && cd %t.d
// RUN: cd %t.d && %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%mesi -c -save-temps %s -o all.o
// RUN: cd %t.d && %clang %cuda-flags --cuda-host-only -O2 -S -emit-llvm -fpass-plugin=%mesi -Xclang -fcuda-include-gpubinary -Xclang $(ls *.fatbin) %s -o - | %FileCheck %s
// CHECK: module asm ".ifndef mesi_launch"
// CHECK-DAG: @"[[K:_Z4rows[A-Za-z]*]]$mesi$0" = internal global [1 x i8] zeroinitializer
// CHECK-DAG: @"[[K]]$mesi$0.name" = internal constant {{.*}} c"[[K]]$mesi$0\00"
// CHECK-DAG: @"[[K]]$mesi.0" = internal global { i32, i32, i32, i32, i64, ptr, ptr, ptr, ptr, i32, i32, {{.*}} } { i32 8, i32 {{[1-4]}}, i32 4, i32 1, i64 {{-?[0-9]+}}, ptr @_Z19__device_stub__rowsPKfPfi, {{.*}}ptr @"[[K]]$mesi$0$large$gate", {{.*}}ptr @"[[K]]$mesi$0$gate", ptr @"[[K]]$mesi$0$pays$gate"
// CHECK-LABEL: define {{.*}}void @_Z6launch
// CHECK: call{{.*}} i32 @mesi_launch(ptr {{[a-z ]*}}@"[[K]]$mesi.0", i64
// CHECK-NOT: @cudaLaunchKernel(
// CHECK: call{{.*}} i32 @__cudaRegisterFunction(ptr {{.*}}, ptr {{[a-z ]*}}@_Z19__device_stub__rowsPKfPfi, ptr
// CHECK: call{{.*}} i32 @__cudaRegisterFunction(ptr {{.*}}, ptr {{[a-z ]*}}@"[[K]]$mesi$0", ptr {{[a-z ]*}}@"[[K]]$mesi$0.name", ptr {{[a-z ]*}}@"[[K]]$mesi$0.name",
// CHECK: declare i32 @mesi_launch(
// One image without the kernel's gate, as its code was left alone: no launch asks.
// RUN: cd %t.d && %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%mesi -DLEFT_ALONE -c %s -o one.o && %not grep -q 'mesi.0.name' one.o && grep -q 'rows.*mesi.0' one.o
#if defined(LEFT_ALONE) && __CUDA_ARCH__ == 800
#define LEAVE __attribute__((annotate("mesi.off")))
#else
#define LEAVE
#endif
LEAVE __global__ void rows(const float *a, float *sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
void launch(const float *a, float *sums, int n) { rows<<<n / 128, 128>>>(a, sums, n); }
