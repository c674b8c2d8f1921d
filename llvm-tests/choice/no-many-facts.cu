// No version rests on more facts than a launch is to be asked: here what is staged of each of two arrays must be apart from each of 140
// stores.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-device-only -O3 -fpass-plugin=%mesi -mllvm -mesi-force -Rpass=mesi -Rpass-analysis=mesi -emit-llvm -S %s -o /dev/null 2>&1 | %FileCheck %s
// CHECK-DAG: many: no version of so many accesses: each launch would be asked too much
// CHECK-DAG: staged 'arg0' in few
// CHECK-NOT: staged '{{.*}}' in many
template <int N> __forceinline__ __device__ void store(const int *x, const int *y, int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x, sum = x[i] + x[i + 1] + x[i + 2] + y[i] + y[i + 1] + y[i + 2];
#pragma unroll
    for (int k = 0; k < N; k++)
        out[i * 1024 + k * k * 3] = sum + k;
}
extern "C" __global__ void many(const int *x, const int *y, int *out) { store<140>(x, y, out); }
extern "C" __global__ void few(const int *x, const int *y, int *out) { store<4>(x, y, out); }
