/* A CUDA runtime and driver without a GPU: one kernel with versions, and a clock that the fake moves itself. */
#ifndef FAKE_H
#define FAKE_H

#include "../../mesi_rt.h"

#define STUBS (MESI_VERSIONS + 1)
#define OTHER STUBS /* candidate of K in other blocks */
#define CANDIDATES (2 * STUBS)

struct fake {
    /* Nanoseconds of a launch: 0 to 4 in the program's own blocks, 5 to 9 in others. */
    double time[CANDIDATES];
    /* Standard deviation of a launch's time, and share of launches that take up to twice as long. */
    double noise, outliers;
    /* What a version's launch takes behind a launch of K, as a multiple of what it takes behind one of its own. */
    double behind_k;
    uint64_t seed;
    /* Host nanoseconds of a launch. */
    uint64_t host_launch;
    /* Device nanoseconds of an event. */
    double event_cost;
    /* Kernels are loaded at their first launch, which takes so many host nanoseconds. */
    int lazy;
    uint64_t load;
    int multiprocessors, driver;
    /* 1: recording fails, 2: elapsed times are negative, 3: creation fails, 4: no driver functions at all. */
    int events;
    /* What a launch of a stub returns. */
    int refuses[STUBS];
    int max_threads, max_dynamic;
    /* Shared memory of a block that a kernel may be allowed; whether the driver refuses to allow any. */
    int most_shared, disallows;
    /* The device's compute capability, 90 for 9.0. */
    int chip;
    /* Multiprocessors of the context, if fewer than the device's. */
    int green;
    /* Launches do nothing. */
    int quick;
    /* The one allocation that there is, and what the device may do with it: bit 0, it may read. */
    uint64_t start, bytes, access;
    /* What a version that needs memory reads, from and up to; whether it cannot tell. */
    uint64_t low, high;
    int untold;
    /* The driver lacks: 1, the question for an allocation; 2, that for access; 4, that for the kind of memory. */
    int lacks;
    /* Host nanoseconds that the process has run, beside those of its launches. */
    uint64_t ran;
};
extern struct fake fake;

/* What happened. */
struct seen {
    uint64_t launches[CANDIDATES];
    uint64_t with_attributes, captured, captured_versions, unsound, unfolded, unlisted;
    /* Loads while work was unfinished; captures broken; uses of events of a context that is gone; events made. */
    uint64_t busy_loads, broken_captures, stale_events, events, records, queries;
    /* Calls of the runtime and the driver beside launches; variables asked for, files opened, pages asked for. */
    uint64_t calls, variables, files, maps;
    /* Blocks along x of K's last launch, and of a version's. */
    uint64_t blocks_of_k, blocks;
    /* Questions about memory. */
    uint64_t asked;
    /* Dynamic shared memory of K's last launch, and of a version's; how often a kernel was allowed more than all have. */
    uint64_t shared_of_k, shared, allowed;
    /* Device nanoseconds with events, and of the same launches had K run them all. */
    double device, plain;
    int last;
};
extern struct seen seen;

extern int fake_device;
/* Which candidates the questions admit and are sure of. */
/* `fake_small`: no launch is large; `fake_large_grid`: none is in grids of fewer blocks; `fake_rewritten`: versions that are folded in
 * another way. */
extern uint32_t fake_sound, fake_pays, fake_small, fake_large_grid, fake_rewritten;
/* Which versions are folded, by bits from 0 on, and whether no launch can be; whether they take a list of blocks besides, which begins with
 * that word. */
#define FAKE_WORD 0x6d657369u
extern int fake_trims, fake_reshapes, fake_relies, fake_folds, fake_unfoldable, fake_blocks;
/* Times of a launch's dynamic shared memory that versions take, if not 0. */
extern int fake_parts;
/* The only compute capability that versions are right on, if not 0. */
extern int fake_only_on;
/* Bytes of dynamic shared memory that its versions have for each thread. */
extern int fake_per_thread;
/* Which versions need memory, by bits from 0 on. */
extern int fake_maps;
/* Blocks that each block of a version does the work of, as a record has them. */
extern int fake_merged;

void fake_reset_device(void);
void fake_forget(void);
void fake_sync(void);
void fake_capture(int stream, int on, int elsewhere);
int fake_last_error(int clear);
void fake_set_error(int error);
/* The K of the fake with so many versions. */
void fake_kernel(struct mesi_kernel *kernel, uint32_t versions);

#endif
