/* The run-time part: each launch of a kernel K runs K or, where that is faster on this GPU, another kernel that gives the
 * same bits.
 *
 * ```text
 * mesi_launch ── settled class ──► one soundness test ──► cudaLaunchKernel(choice)             tens of nanoseconds
 *           └─── any other ──► capture? limits? all tests ──► class ──► trial or choice     (rt_trial.h)
 * ```
 * A class of launches (same blocks, grids and integers of the same magnitude, same admissible candidates) has one choice. It comes
 * from the cache (rt_cache.h), from the model, or from timed launches of the program itself. Classes decide speed and never
 * legality: whether a candidate may run a launch is asked at that launch.
 *
 * There is no thread, no lock that anyone waits for, no allocation but some pages at a kernel's first launch, and no call that
 * waits for the GPU. What is not understood runs K as the program launched it.
 */
#include "rt_base.h"
#include "rt_env.h"
#include "rt_launch.h"

#include "rt_cache.h"

#include "rt_trial.h"

#include "rt_class.h"

#include "rt_report.h"

/* States of the first kernels: asking the system for pages takes 20 us, touching one of these few. Claimed in order, never given back. */
#define POOL 16
static struct state pool[POOL];
static uint32_t pooled;

/* Makes the state of a kernel at its first launch; null if there is no memory, or another thread is at it. */
static SLOW struct state *make_state(struct mesi_kernel *kernel) {
    uint32_t place = get(pooled) < POOL ? add(pooled, 1) : POOL;
    struct state *state = place < POOL ? &pool[place] : mmap(0, sizeof *state, MAP_READ_WRITE, MAP_OWN_ZEROES, -1, 0);
    if ((intptr_t)state == -1)
        return 0;
    state->kernel = kernel;
    state->pinned = NOBODY;
    if (process.pinned[0] && !strcmp(kernel->name, process.pinned))
        state->pinned = process.pin;
    void *none = 0;
    if (!__atomic_compare_exchange_n(&kernel->state, &none, state, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        if (place >= POOL)
            munmap(state, sizeof *state);
        return none;
    }
    state->next = get(process.states);
    while (!__atomic_compare_exchange_n(&process.states, &state->next, state, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
    return state;
}

/* Tells the lane which stream a launch goes to. */
static void note_stream(struct launch *l) {
    l->own_stream = own_stream(l->driver_stream);
    struct lane *lane = lane_of(l->context);
    if (get(lane->stream) != l->own_stream) {
        put(lane->stream, l->own_stream);
        add(lane->changes, 1);
    }
}

/* A launch by the class that it belongs to. */
static int choose(struct launch *l) {
    struct state *state = l->state;
    uint64_t shape = shape_of(l), key = key_of(shape, l->context);
    if (process.can_measure)
        note_stream(l);
    for (uint32_t i = 0; i < CLASSES; i++) {
        struct class *c = &state->class[i];
        uint64_t other = get_acquire(c->key);
        if (!other)
            break;
        if (other != key)
            continue;
        if (!get_acquire(c->settled))
            break;
        uint32_t choice = get(c->choice);
        /* K with fewer candidates than there are says nothing about a launch that has more. */
        if (choice ? !may_run(l, choice, c->threads) : !c->full)
            continue;
        uint64_t launches = get(c->launches) + 1;
        bool captured = choice && is_captured(l);
        if (captured && (!process.graphs || is_other(l, choice) || version_of(l->kernel, choice)->relies))
            return run(l, 0);
        if (launches >= get(c->look) && !captured)
            break;
        put(c->launches, launches);
        return choice ? run_or_k(l, c, choice, false) : run(l, 0);
    }
    return choose_slowly(l, shape, key);
}

/* Whether there is nothing to choose. */
static bool is_plain(const struct mesi_kernel *kernel, void **args) {
    if (get_acquire(process.ready) != 2 && !prepare())
        return true;
    return process.mode == MODE_OFF || process.has_no_driver || !args || kernel->abi != MESI_ABI || kernel->versions > MESI_VERSIONS ||
           kernel->scalars > MESI_SCALARS;
}

static int launch(struct launch *l) {
    struct mesi_kernel *kernel = l->kernel;
    if (is_plain(kernel, l->args))
        return run(l, 0);
    l->state = get_acquire(kernel->state);
    if (!l->state)
        l->state = make_state(kernel);
    if (!l->state)
        return run(l, 0);
    /* No context yet, or none that can be asked for: the program's launch makes one, or says what is wrong. */
    if (process.driver.context && (process.driver.context(&l->context) || !l->context))
        return run(l, 0);
    return choose(l);
}

__attribute__((visibility("hidden"))) int mesi_launch(struct mesi_kernel *kernel, struct mesi_dim3 grid,
                                                      struct mesi_dim3 block, void **args, size_t shared, void *stream) {
    struct launch l = {
        .kernel = kernel,
        .args = args,
        .shared = shared,
        .stream = stream,
        .driver_stream = driver_stream(kernel, stream),
        .numbers = {block.x, block.y, block.z, grid.x, grid.y, grid.z},
    };
    return launch(&l);
}

/* An attribute may mean anything (clusters, cooperation, programmatic order), so a launch with any is K's. */
__attribute__((visibility("hidden"))) int mesi_launch_ex(const void *config, struct mesi_kernel *kernel, void **args) {
    const struct launch_config *c = config;
    struct launch l = {.kernel = kernel, .args = args, .config = config};
    if (!c || c->count != 0)
        return run(&l, 0);
    l.shared = c->shared;
    l.stream = c->stream;
    l.driver_stream = driver_stream(kernel, c->stream);
    uint32_t numbers[6] = {c->block.x, c->block.y, c->block.z, c->grid.x, c->grid.y, c->grid.z};
    memcpy(l.numbers, numbers, sizeof numbers);
    return launch(&l);
}
