// What becomes of host code: the originals are registered behind the kernel, and every launch, inlined ones too, asks.
// REQUIRES: cuda
// RUN: rm -rf %t.d && mkdir -p %t.d && cd %t.d
// RUN: cd %t.d && %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%mesi -c -save-temps %s -o all.o
// RUN: cd %t.d && %clang %cuda-flags --cuda-host-only -O2 -S -emit-llvm -fpass-plugin=%mesi -Xclang -fcuda-include-gpubinary -Xclang $(ls *.fatbin) %s -o - | %FileCheck %s
// CHECK-DAG: @"[[K:_Z4rows[A-Za-z]*]]$original" = internal global [1 x i8] zeroinitializer
// CHECK-DAG: @"[[K]]$original.name" = internal constant {{.*}} c"[[K]]$original\00"
// CHECK-LABEL: define {{.*}}void @_Z6launch
// CHECK: [[CHANGED:%.*]] = call{{.*}} i1 @"[[K]]$blocks{{[.xyzabcdef0-9]*}}$gate"(ptr {{.*}}, ptr {{.*}} [[LAUNCH:%.*]])
// CHECK: [[NONE:%.*]] = icmp eq i64 [[SHARED:%.*]], 0
// CHECK: [[RUNNING:%.*]] = and i1 [[NONE]],
// CHECK: [[OTHER:%.*]] = and i1 [[CHANGED]], [[RUNNING]]
// CHECK: [[GRID:%.*]] = select i1 [[OTHER]], i64 {{%.*}}, i64
// CHECK: [[BLOCK:%.*]] = select i1 [[OTHER]], i64 {{%.*}}, i64
// CHECK: [[RUNS:%.*]] = call{{.*}} i1 @"[[K]]$gate"(ptr {{.*}}, ptr {{.*}} [[LAUNCH]])
// CHECK: [[LONGER:%.*]] = call{{.*}} i1 @"[[K]]$original$gate"(ptr {{.*}}, ptr {{.*}} [[LAUNCH]])
// CHECK: [[BESIDE:%.*]] = select i1 [[LONGER]], ptr @"[[K]]$original", ptr @"[[K]]$plain"
// CHECK: [[WHICH:%.*]] = select i1 {{.*}}, ptr [[BESIDE]]
// CHECK: call{{.*}} i32 @cudaLaunchKernel(ptr {{[a-z ]*}}[[WHICH]], i64 [[GRID]], i32 {{.*}}, i64 [[BLOCK]], i32 {{.*}} i64 {{[a-z ]*}}[[SHARED]],
// CHECK: call{{.*}} i32 @__cudaRegisterFunction(ptr {{.*}}, ptr {{[a-z ]*}}@_Z19__device_stub__rowsPKfPfi, ptr
// CHECK-NEXT: call{{.*}} i32 @__cudaRegisterFunction(ptr {{.*}}, ptr {{[a-z ]*}}@"[[K]]$original", ptr {{[a-z ]*}}@"[[K]]$original.name", ptr {{[a-z ]*}}@"[[K]]$original.name",
// CHECK-NEXT: call{{.*}} i32 @__cudaRegisterFunction(ptr {{.*}}, ptr {{[a-z ]*}}@"[[K]]$plain", ptr {{[a-z ]*}}@"[[K]]$plain.name", ptr {{[a-z ]*}}@"[[K]]$plain.name",
// One image without the kernel's gate, as its code was left alone: no launch asks.
// RUN: cd %t.d && %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%mesi -DLEFT_ALONE -c %s -o one.o && %not grep -q 'original.name' one.o && grep -q 'rows.*original' one.o
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
