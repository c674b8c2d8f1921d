/* What the plug-in's host half and the run-time part agree on.
 *
 * The plug-in writes one `struct mesi_kernel` for each kernel K of a host module that has something to choose, and has
 * each launch of K call `mesi_launch` where it called `cudaLaunchKernel`. Layouts are those of x86-64 and AArch64 Linux;
 * `src/host/` (the Rust side) mirrors this file line for line.
 */
#ifndef MESI_RT_H
#define MESI_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MESI_ABI 8
/* Versions of a kernel at most. */
#define MESI_VERSIONS 4
/* Nanoseconds that the model expects of K's launch where it is just large enough to be called large (`LARGE_US` of the plug-in). */
#define MESI_LARGE 400000
/* Integers of a launch's arguments that steer how long its threads run, at most. */
#define MESI_SCALARS 8

/* A launch's numbers: block x, y, z, grid x, y, z. */
typedef uint32_t mesi_numbers[6];
/* Words of the list of blocks that a trimmed version is launched with, and parameters that its kernel has at most (`src/transform/trim/plan.rs`). */
#define MESI_WORDS 39
#define MESI_PARAMETERS 31
/* A launch that is made for a version: its numbers; how many parameters K has, plus one, if the version has one more, or 0; and that one. */
typedef uint32_t mesi_room[6 + 1 + MESI_WORDS];

/* Ranges of bytes that must be memory for a version, at most (`src/choice/mapped.rs`). */
#define MESI_RANGES 8
/* A launch's numbers, and of each range the lowest byte and the end of the highest: the same twice where there is none. */
struct mesi_ranges {
    mesi_numbers numbers;
    uint64_t range[MESI_RANGES][2];
};

/* A question about a launch. `args`: as cudaLaunchKernel takes them, a pointer to each argument. */
typedef bool (*mesi_question)(void *const *args, const uint32_t *numbers);
/* Deals a launch's threads out to blocks of another size: writes `numbers`; whether it did. */
typedef bool (*mesi_reshape)(void *const *args, uint32_t *numbers);

/* A kernel beside K that gives K's bits. Constant. */
struct mesi_version {
    /* What the runtime launches it by. */
    const void *stub;
    /* Its name in device code. */
    const char *name;
    /* Whether it may run this launch; null: it may run any. The version tests itself what no host can know. */
    mesi_question sound;
    /* Whether the model is sure that this launch gains; null: never sure. */
    mesi_question pays;
    /* Writes the launch that the version is made for, where its ids are folded or its loop is spread: the program's is another one. It is given a whole
     * `mesi_room`. Asked first: `sound` and `pays` are asked of what it writes. Null: the version takes K's launches. */
    mesi_reshape fold;
    /* Writes where that lies which must be memory, in one allocation each, that the device may read; whether it can. It is given a
     * `struct mesi_ranges`. Asked last, of what the version is launched with. Null: its copies read nothing that K may not. */
    mesi_reshape mapped;
    /* Bytes of static shared memory, K's own included. */
    uint32_t shared;
    /* Most threads of a block that its code was made for. */
    uint32_t threads;
    /* Whether it relies on `sound` being asked of each launch: it does not test itself all that it rests on. A graph's node may be given
     * other arguments later, without a question. */
    uint32_t relies;
    /* Blocks along x that it is launched in at most, whatever the launch is that `sound` was asked of: it does the same in any number of
     * them. 0: as many as the launch has. */
    uint32_t blocks;
    /* How many times a launch's dynamic shared memory, rounded up to 16 bytes, it is launched with: it runs several blocks of K in one, each
     * with a part of it. 0: as much as the launch has. */
    uint32_t parts;
    /* The only compute capability that it is right on, as 90 for 9.0: the device may be a later one than its code was made for. 0: it is
     * right on all that run its code. */
    uint32_t chip;
    /* Bytes of dynamic shared memory that it is launched with for each thread of a block, in whole warps: K has none. 0: as the launch or `parts`
     * say. */
    uint32_t per_thread;
    /* Blocks of the launch that each of its blocks does the work of, along x, y and z in a byte each: so many times fewer are launched, whatever
     * `sound` was asked of. 0: one. */
    uint32_t merged;
};

/* An integer among the arguments: `bytes` (1, 2, 4, 8) at args[index] + offset. */
struct mesi_scalar {
    uint32_t index, offset, bytes;
};

/* A kernel K with something to choose. Constant but for `state`. */
struct mesi_kernel {
    uint32_t abi;
    uint32_t versions;
    /* Bit 0: launches go to each thread's own default stream (`cudaLaunchKernel_ptsz`). Bit 1: it reads the grid's size. Bit 2: the time by which
     * launches are large is all that they take, and not only what they take at least. */
    uint32_t flags;
    uint32_t scalars;
    /* Of K's code and of its versions, their tests and the plug-in's build: part of the cache's key. */
    uint64_t hash;
    const void *stub;
    const char *name;
    /* Other blocks for K and for its versions; null: only the program's own. */
    mesi_reshape reshape;
    /* Whether a launch takes so long that loading a version in its place is little beside it; null: every launch does. */
    mesi_question large;
    /* K's own static shared memory, bytes. */
    uint32_t shared;
    /* Most threads of a block that K accepts by its launch bounds; 1024 without. */
    uint32_t threads;
    struct mesi_scalar scalar[MESI_SCALARS];
    struct mesi_version version[MESI_VERSIONS];
    /* The run-time part's own, null at first. */
    void *state;
};

struct mesi_dim3 {
    uint32_t x, y, z;
};

/* Launches K, or what was chosen for this launch, exactly once, and returns what the runtime said.
 * The signature is cudaLaunchKernel's with the kernel's record in place of its stub, so that a call's lowering stays. */
int mesi_launch(struct mesi_kernel *kernel, struct mesi_dim3 grid, struct mesi_dim3 block, void **args, size_t shared,
                void *stream);
/* The same for cudaLaunchKernelExC, whose configuration comes first. */
int mesi_launch_ex(const void *config, struct mesi_kernel *kernel, void **args);

#endif
