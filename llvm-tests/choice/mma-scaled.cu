// What the kernel makes of a sum is fused as it was. Without the loop LLVM would take the product with a constant out of the phi behind it, and another
// product would be fused with the addition, with another last bit (as a GPU showed): the phi goes with the loop.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -S %s -o %t.s 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %FileCheck %s < %t.s
// REMARK-DAG: scaled: its product is worked out in blocks of another shape: tiles of 64 x 64,
// REMARK-DAG: joined: its product stays in the program's blocks: real numbers might be worked out in another way without the loop
// CHECK-LABEL: .entry scaled(
// CHECK: fma.rn.f32 {{.*}}, 0f40000000, %
// CHECK: .entry scaled$mesi$2(
// CHECK-NOT: fma.rn.f32 {{.*}}, 0f40400000, %
// CHECK: fma.rn.f32 {{.*}}, 0f40000000, %
// CHECK-NOT: fma.rn.f32 {{.*}}, 0f40400000, %
// CHECK: .entry scaled$mesi$3(
// CHECK-NOT: fma.rn.f32 {{.*}}, 0f40400000, %
// CHECK: fma.rn.f32 {{.*}}, 0f40000000, %
// CHECK-NOT: fma.rn.f32 {{.*}}, 0f40400000, %
// CHECK: .entry joined$mesi$0(
extern "C" __global__ void scaled(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    int i = 0;
    for (; i + 2 <= k; i += 2) {
        sum += a[row * k + i] * b[i * n + col];
        sum += a[row * k + i + 1] * b[(i + 1) * n + col];
    }
    for (; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum * 2 + c[row * n + col] * 3;
}
// The sum joins another number than it begins with.
extern "C" __global__ void joined(const float *a, const float *b, float *c, int m, int n, int k, int is_made)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        float sum = 0.0f;
        if (is_made)
            for (int i = 0; i < k; i++)
                sum += a[row * k + i] * b[i * n + col];
        else
            sum = 7.0f;
        c[row * n + col] = sum;
    }
}
