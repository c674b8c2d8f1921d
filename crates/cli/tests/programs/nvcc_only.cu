// One percent sign: nvcc takes it, clang does not.
__global__ void when(int *a)
{
    int now;
    asm volatile("mov.u32 %0, %clock;" : "=r"(now));
    *a = now;
}
