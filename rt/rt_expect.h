/* What the model expects K's launch to take.
 *
 * The plug-in tells of a launch whether it is large: that the model expects K to take `MESI_LARGE` for it, or more. In that the grid counts by how many blocks it
 * has, so the grid that would be just large enough says how long this one takes.
 */
#ifndef MESI_RT_EXPECT_H
#define MESI_RT_EXPECT_H

#include "rt_launch.h"

/* How many times larger a grid is asked about, at most: launches that are shorter than so small a part of a large one are of no interest. */
#define MOST_GROWTH 64
/* How exact the grid is that is looked for, as one in so many. */
#define GRID_STEPS 32

static FAST bool is_large(const struct launch *l) {
    const struct mesi_kernel *k = l->kernel;
    return k->large ? k->large(l->args, l->numbers) : k->versions > 0;
}

/* Nanoseconds of K's launch by the model; 0: it is not known, or little. Where the grid does not count, as elements are dealt out to whatever threads there
 * are, or one block is large by itself, no more is known than that the launch is large. */
static SLOW double expected_time(const struct launch *l) {
    const struct mesi_kernel *k = l->kernel;
    if (!k->large || !is_valid(l->numbers))
        return 0;
    mesi_numbers n;
    memcpy(n, l->numbers, sizeof n);
    uint32_t widest = n[4] > n[3] ? 4 : 3;
    widest = n[5] > n[widest] ? 5 : widest;
    uint64_t blocks = n[widest], most = blocks * MOST_GROWTH, small = 1;
    uint32_t large = most < 0x7fffffff ? (uint32_t)most : 0x7fffffff;
    n[widest] = large;
    bool ever = k->large(l->args, n);
    n[widest] = 1;
    if (!ever)
        return 0;
    if (k->large(l->args, n))
        return MESI_LARGE;
    while (large - small > small / GRID_STEPS + 1) {
        n[widest] = (uint32_t)((small + large) / 2);
        if (k->large(l->args, n))
            large = n[widest];
        else
            small = n[widest];
    }
    return (double)MESI_LARGE * (double)blocks / large;
}

#endif
