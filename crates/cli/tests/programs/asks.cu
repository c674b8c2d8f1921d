// A program that asks for nvcc, and uses the library that must not hear of it.
#ifndef __NVCC__
#error "written for nvcc"
#endif
#include <cub/block/block_reduce.cuh>
#include <cuda/std/array>

__global__ void sum(int *a)
{
    __shared__ cub::BlockReduce<int, 128>::TempStorage storage;
    int all = cub::BlockReduce<int, 128>(storage).Sum(a[threadIdx.x]);
    if (threadIdx.x == 0)
        *a = all;
}
