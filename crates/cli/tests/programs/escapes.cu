// Assembly as nvcc takes it: one percent sign before a register of the machine.
#include "escapes.h"
#include <cstdio>
#include <cstring>

__global__ void sgemm(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__global__ void where(unsigned *place)
{
    unsigned lane, warp, both;
    LANE(lane);
    asm("mov.u32 %0, %warpid; // %% is one, \" ends nothing, %smid" : "=r"(warp));
    asm("{\n\t"
        ".reg .u32 t;\n\t"
        "mov.u32 t, %tid.x;\n\t"
        "add.u32 %0, t, %1;\n\t"
        "}"
        : "=r"(both)
        : "r"(lane));
    place[threadIdx.x] = lane + warp + both;
}

int main()
{
    printf("%d%s", __LINE__, strstr(__FILE__, "escapes.cu"));
}
