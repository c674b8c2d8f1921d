// What the host needs to know of a module's kernels lies in one constant: a program that loads the module's image pays for each of its
// globals. The user's own keep their names, also such as records have.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -S %s -o - 2>/dev/null | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O1 -fgpu-rdc -fpass-plugin=%mesi -S %s -o - 2>/dev/null | %FileCheck %s
// CHECK-NOT: $gate
// CHECK-DAG: .visible .global .align 1 .b8 user$gate[9]
// CHECK-DAG: .global .align 1 .b8 mesi$records[{{[0-9]+}}] = {77, 69, 83, 73, 80, 65, 67, 75,
// CHECK-NOT: $gate
// CHECK: .visible .entry rows(
// CHECK: .visible .entry columns(
// CHECK: .visible .entry rows$mesi$0(
// CHECK: .visible .entry columns$mesi$0(
extern "C" {
__device__ char user$gate[9] = "A record";
__global__ void rows(const float *a, float *out, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[r * n + k];
        out[r] = sum;
    }
}
__global__ void columns(const float *a, float *out, int n)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < n && c < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[r * n + k] * a[k * n + c];
        out[r * n + c] = sum;
    }
}
}
