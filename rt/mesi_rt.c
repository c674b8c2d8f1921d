/* The run-time part: each launch of a kernel K runs K or, where that is faster on this GPU, another kernel that gives the
 * same bits.
 *
 * ```text
 * mesi_launch ── settled class ──► one soundness test ──► cudaLaunchKernel(choice)             tens of nanoseconds
 *           ├─── no class, not large, the 11th of its kind at most ──► K, counted            (rt_early.h)
 *           │    (the first of its kind, the model is sure of a version ──► class, that version; rt_class.h)
 *           │    (the one before may have taken long ──► class, K timed, then versions; rt_class.h)
 *           └─── any other ──► all tests, capture? limits? ──► class ──► trial or choice     (rt_trial.h)
 * ```
 * A class of launches (same blocks, grids and integers of the same magnitude, same admissible candidates) has one choice. It comes
 * from the cache (rt_cache.h), from the model, or from timed launches of the program itself. Classes decide speed and never
 * legality: whether a candidate may run a launch is asked at that launch.
 *
 * What a process knows of a class that is not settled is kept at its end for the next one (rt_exit.h).
 *
 * There is no thread, no lock that anyone waits for, no allocation but some pages at a kernel's first class, and no call that
 * waits for the GPU. What is not understood runs K as the program launched it.
 */
#include "rt_base.h"
#include "rt_env.h"
#include "rt_launch.h"

#include "rt_early.h"

#include "rt_cache.h"

#include "rt_trial.h"

#include "rt_class.h"

#include "rt_exit.h"
#include "rt_report.h"

/* States of the first kernels, claimed in order, never given back. */
#define STATES 64
static struct state states[STATES];
static uint32_t stated;

/* Makes the state of a kernel at its first launch; null if there is nothing to choose, no memory, or another thread is at it. */
static SLOW struct state *make_state(struct mesi_kernel *kernel) {
    if (get_acquire(process.ready) != 2 && !prepare())
        return 0;
    if (process.mode == MODE_OFF || kernel->abi != MESI_ABI || kernel->versions > MESI_VERSIONS || kernel->scalars > MESI_SCALARS)
        return 0;
    uint32_t place = get(stated) < STATES ? add(stated, 1) : STATES;
    struct state *state = place < STATES ? &states[place] : mmap(0, sizeof *state, MAP_READ_WRITE, MAP_OWN_ZEROES, -1, 0);
    if ((intptr_t)state == -1)
        return 0;
    state->kernel = kernel;
    state->classes = &no_class;
    state->pinned = is_pinned(kernel->name) ? process.pin : NOBODY;
    void *none = 0;
    if (!__atomic_compare_exchange_n(&kernel->state, &none, state, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        if (place >= STATES)
            munmap(state, sizeof *state);
        return none;
    }
    state->next = get(process.states);
    while (!__atomic_compare_exchange_n(&process.states, &state->next, state, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
    return state;
}

/* Tells the lane which stream a launch goes to. */
static FAST void note_stream(struct launch *l) {
    l->own_stream = own_stream(l->driver_stream);
    struct lane *lane = lane_of(l->context);
    if (get(lane->stream) != l->own_stream) {
        put(lane->stream, l->own_stream);
        add(lane->changes, 1);
    }
}

/* Finds the context of a launch; false: there is none yet, or none that can be asked for. The program's launch makes one, or says what is wrong. */
static FAST bool find_context(struct launch *l) {
    if (!process.driver.context)
        return !process.has_no_driver;
    return !process.driver.context(&l->context) && l->context;
}

/* A launch of a kind that has no class: the driver is asked once it is known to be worth that. */
static FAST int choose_anew(struct launch *l, uint64_t shape, uint64_t key) {
    if (!is_valid(l->numbers))
        return run(l, 0);
    if (is_early(l, shape) && !goes_ahead(l)) {
        uint64_t pause = pause_of(l);
        l->long_before = pause >= LONG_KERNEL && was_long(l);
        if (!l->long_before)
            return run_early(l, pause);
    }
    if (!key) {
        if (!find_out() || !find_context(l))
            return run(l, 0);
        key = key_of(shape, l->context);
        if (process.can_measure)
            note_stream(l);
    }
    return choose_slowly(l, shape, key);
}

/* Whether a graph may hold a candidate other than K: a version that tests itself whatever arguments its node gets later, in the program's own
 * blocks and with its shared memory, which the node may be given anew. */
static bool may_be_recorded(const struct launch *l, uint32_t choice) {
    const struct mesi_version *v = version_of(l->kernel, choice);
    return process.graphs && !is_other(l, choice) && !v->relies && (!v->parts || MUTATED(31));
}

/* A launch by the class that it belongs to. */
static FAST int choose(struct launch *l) {
    uint64_t shape = shape_of(l);
    if (get_acquire(process.known) != 2)
        return choose_anew(l, shape, 0);
    if (!find_context(l))
        return run(l, 0);
    uint64_t key = key_of(shape, l->context);
    if (process.can_measure)
        note_stream(l);
    struct class *all = get_acquire(l->state->classes);
    bool is_known = false;
    for (uint32_t i = 0; i < CLASSES; i++) {
        struct class *c = &all[i];
        uint64_t other = get_acquire(c->key);
        if (!other)
            break;
        if (other != key)
            continue;
        is_known = true;
        uint64_t launches = get(c->launches) + 1;
        bool is_due = launches >= get(c->look), is_settled = get_acquire(c->settled);
        if (is_due && !is_settled)
            break;
        uint32_t choice = get(c->choice);
        /* K with fewer candidates than there are says nothing about a launch that has others. */
        if (choice ? !may_run(l, choice, c->threads) : !c->full && within(l, admissible(l), c->threads) != c->mask)
            continue;
        bool captured = choice && is_captured(l);
        if (captured && (!is_settled || !may_be_recorded(l, choice)))
            return run(l, 0);
        if (is_due && !captured)
            break;
        put(c->launches, launches);
        return choice ? run_or_k(l, c, choice, false) : run(l, 0);
    }
    return is_known ? choose_slowly(l, shape, key) : choose_anew(l, shape, key);
}

static FAST int launch(struct launch *l) {
    l->state = get_acquire(l->kernel->state);
    if (!l->state)
        l->state = make_state(l->kernel);
    return l->state && l->args ? choose(l) : run(l, 0);
}

FAST __attribute__((visibility("hidden"))) int mesi_launch(struct mesi_kernel *kernel, struct mesi_dim3 grid,
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
FAST __attribute__((visibility("hidden"))) int mesi_launch_ex(const void *config, struct mesi_kernel *kernel, void **args) {
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
