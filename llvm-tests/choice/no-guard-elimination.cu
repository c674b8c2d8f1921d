// Guards stay in front of barriers where the host cannot tell whether all threads of a launch meet them, or where those that do not have
// something to do.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.rdc.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.rdc.ll 2>&1 | %FileCheck %s -check-prefix=RDC
// CHECK-NOT: guards met
// CHECK-NOT: $mesi$copy

// What memory holds is not the host's to read.
// CHECK-LABEL: plan of of_memory
// CHECK: guards stay in front of barriers: the host cannot tell whether all threads meet one
extern "C" __global__ void of_memory(const float *x, float *y, const int *ends)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= ends[blockIdx.x])
        return;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    y[i] = tile[threadIdx.x ^ 1];
}

// A flag besides.
// CHECK-LABEL: plan of of_flag
// CHECK: guards stay in front of barriers: the host cannot tell whether all threads meet one
extern "C" __global__ void of_flag(const float *x, float *y, bool on, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    if (!on || i >= n)
        return;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    y[i] = tile[threadIdx.x ^ 1];
}

// The others store, too.
// CHECK-LABEL: plan of with_others
// CHECK: guards stay in front of barriers: threads that do not meet one have something to do
extern "C" __global__ void with_others(const float *x, float *y, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        tile[threadIdx.x] = x[i];
        __syncthreads();
        y[i] = tile[threadIdx.x ^ 1];
    } else {
        y[2 * n - i] = 0;
    }
}

// Whether a thread was there tells what is stored behind.
// CHECK-LABEL: plan of with_values
// CHECK: guards stay in front of barriers: threads that do not meet one have something to do
extern "C" __global__ void with_values(const float *x, float *y, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = 7;
    if (i < n) {
        tile[threadIdx.x] = x[i];
        __syncthreads();
        v = tile[threadIdx.x ^ 1];
    }
    y[i] = v;
}

// A template's kernel in code that is linked: another file may have it, with versions of its own.
// CHECK-LABEL: plan of last
// RDC-LABEL: plan of {{.*}}shared
// RDC: guards stay in front of barriers: other files may have this kernel, too
extern "C" __global__ void last() {}
#ifdef __CLANG_RDC__
template <typename T> __global__ void shared(const T *x, T *y, int n)
{
    __shared__ T tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    y[i] = tile[threadIdx.x ^ 1];
}
template __global__ void shared<float>(const float *, float *, int);
#endif
