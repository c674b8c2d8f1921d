// A pair of halves assigned from empty braces: nvcc takes it, clang does not.
#include <cuda_fp16.h>

__global__ void when(half2 *a)
{
    half2 now;
    now = {};
    *a = now;
}
