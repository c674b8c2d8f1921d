// Asynchronous copies from global to shared memory, sm_80 and later.
#pragma once

// For lambdas: one that is not inlined would keep its captures, sums among them, in memory.
#define INLINE __attribute__((always_inline))

// Blocks that fill the chip: fewer are better off unmerged. Tests set it to 0, to merge small grids.
#ifndef FILL
#define FILL 132
#endif

// BYTES is 4, 8 or 16, and both addresses are a multiple of it. Where `valid` is false nothing is
// read and zeros are written.
template <int BYTES> __device__ __forceinline__ void copy_async(void *shared, const void *global, bool valid = true)
{
    unsigned to = (unsigned)__cvta_generic_to_shared(shared);
    int from = valid ? BYTES : 0;
    if constexpr (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(to), "l"(global), "r"(from), "n"(BYTES)
                     : "memory");
}

__device__ __forceinline__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most PENDING of the latest groups are under way.
template <int PENDING> __device__ __forceinline__ void wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

__device__ __forceinline__ bool aligned16(const void *p)
{
    return (unsigned long long)p % 16 == 0;
}

// Threads of a block in the order of the hardware, and how many there are.
__device__ __forceinline__ int linear()
{
    return threadIdx.y * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ int threads()
{
    return blockDim.x * blockDim.y;
}

// The pipeline of every kernel here: `load(stage, strip)` starts the copies of one strip, `use(stage,
// strip)` works on it, STAGES strips are under way. One barrier a strip.
template <int STAGES, class Load, class Use> __device__ __forceinline__ void stream(int strips, Load load, Use use)
{
    for (int p = 0; p < STAGES - 1; p++) {
        if (p < strips)
            load(p, p);
        commit();
    }
    for (int s = 0; s < strips; s++) {
        wait<STAGES - 2>();
        __syncthreads();
        int next = s + STAGES - 1;
        if (next < strips)
            load(next % STAGES, next);
        commit();
        use(s % STAGES, s);
    }
    wait<0>();
    __syncthreads();
}
