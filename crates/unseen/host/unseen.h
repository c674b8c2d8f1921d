// What a batch of kernels and the program that times it agree on.
#pragma once
#include <cuda_runtime.h>
#include <string.h>

// One flat value of a launch: a pointer, or the bits of a scalar.
struct Value {
    unsigned long long bits;
};

template <class T> static inline T as(Value v)
{
    T t;
    memcpy(&t, &v.bits, sizeof t);
    return t;
}

// One kernel of one build.
struct Kernel {
    const void *function;
    void (*launch)(const Value *values, dim3 grid, dim3 block, unsigned shared, cudaStream_t stream);
    // Copies device arrays into the kernel's globals.
    void (*globals)(void *const *from);
};

struct Buffer {
    unsigned long long count, seed;
    unsigned type, size, kind;
    double a, b;
};

// One flat value of a launch: an address behind a buffer's first byte, or with a buffer of -1 the bits of a scalar.
struct Argument {
    int buffer;
    unsigned long long bits;
};

// A launch. The last `globals` buffers are copied into globals.
struct Row {
    const char *name, *label;
    int kernel;
    unsigned grid[3], block[3], shared;
    int buffers, first_buffer, arguments, first_argument, globals;
};
