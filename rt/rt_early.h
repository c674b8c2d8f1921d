/* The first launches of a kind, if they are not large and the model is sure of nothing: K, counted, and nothing else.
 *
 * No driver is asked, no version's test, and but one file (whether somebody ran `mesi tune`): a kernel of 30 us is over before what they say is worth what they cost. So the context is not known
 * here either, and launches of several devices count together. K as the program launched it is right wherever it goes: into a graph, to a
 * device that was reset, or nowhere, since there is no driver.
 */
#ifndef MESI_RT_EARLY_H
#define MESI_RT_EARLY_H

#include "rt_cache.h"
#include "rt_expect.h"

/* The launch of a kind that looks into the cache, and is the first that may be timed: that and the driver's functions, of which a process has none before, and the
 * events take 40 to 50 us of the host's time each, which a program of ten launches is not to pay. */
#define FIRST_TIMED 12

/* How long K takes at least for a version to be tried before FIRST_TIMED though the model is sure of none, nanoseconds: what the host asks for that, and a
 * version's code, take up to 150 us in all, once, which are to be little of ten launches. */
#define LONG_KERNEL 600000

/* The part of a word that counts; a kind has the rest. */
#define COUNT_MASK 0xffu

/* Keeps the launch as an example of its kind, for the report. */
static SLOW void keep_example(const struct launch *l, struct example *e) {
    for (int i = 0; i < 6; i++)
        put(e->numbers[i], l->numbers[i]);
    put(e->shared, (uint32_t)l->shared);
}

/* Which launch of its kind this is; a little past FIRST_TIMED all are the same one. 0: there are more kinds than places. Where two threads
 * count at the same time, one may be missed. */
static FAST uint32_t count(struct launch *l, uint64_t shape) {
    struct state *state = l->state;
    uint64_t kind = shape & ~(uint64_t)COUNT_MASK;
    for (uint32_t i = 0; i < KINDS; i++) {
        uint32_t at = ((uint32_t)(shape >> 59) + i) % KINDS;
        uint64_t word = get(state->kind[at]), n = word & COUNT_MASK;
        l->kind = at;
        if (!word) {
            if (__atomic_compare_exchange_n(&state->kind[at], &word, kind | 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
                if (process.reports)
                    keep_example(l, &state->example[at]);
                return 1;
            }
            n = word & COUNT_MASK;
        }
        if ((word ^ kind) > COUNT_MASK)
            continue;
        if (n <= FIRST_TIMED)
            __atomic_compare_exchange_n(&state->kind[at], &word, word + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        return (uint32_t)n + 1;
    }
    return 0;
}
_Static_assert(KINDS == 32, "five bits choose a place");

/* Whether a kernel of that hash has the mark: 2, or 1 if not. */
static SLOW uint32_t find_mark(uint64_t hash, const char *mark) {
    char path[PATH_BYTES], folder[PATH_BYTES];
    int kept = *__errno_location(), file = -1;
    folder[0] = 0;
    find_cache(folder);
    if (mark_path(path, folder, hash, mark))
        file = open(path, READ_ONLY | NOT_INHERITED);
    if (file >= 0)
        close(file);
    *__errno_location() = kept;
    return file >= 0 ? 2 : 1;
}

/* Asks whether there is anything at all, once a process, when it is loaded: where system calls are slow one takes as long as a small launch, and
 * the device would wait for it. */
__attribute__((constructor)) static SLOW void look_for_marks(void) {
    if (!get(any_known))
        put(any_known, find_mark(ANY_KERNEL, KNOWN_MARK));
    if (!get(any_tuned))
        put(any_tuned, get(any_known) == 2 ? find_mark(ANY_KERNEL, TUNED_MARK) : 1);
}

/* Whether somebody had the kernel's launches settled (`mesi tune`): then the first of them looks into the cache. Asked of the file system once
 * a kernel where anything was tuned at all. */
static SLOW bool is_tuned(struct state *state) {
    look_for_marks();
    if (!get(state->tuned))
        put(state->tuned, get(any_tuned) == 2 && !MUTATED(38) ? find_mark(state->kernel->hash, TUNED_MARK) : 1);
    return get(state->tuned) == 2;
}

/* Whether an earlier run left anything of the kernel, asked the same way. */
static SLOW bool has_entries(struct state *state) {
    if (!get(state->known))
        put(state->known, get(any_known) == 2 && !MUTATED(57) ? find_mark(state->kernel->hash, KNOWN_MARK) : 1);
    return get(state->known) == 2 || MUTATED(58);
}

/* Whether the model knows that K takes long, and not only that it may. */
static SLOW bool is_surely_long(const struct launch *l) {
    return is_timed(l->kernel, l->numbers) && expected_time(l) >= LONG_KERNEL;
}

/* Whether the launch, which any kernel may have, is one of those; sets its turn. Of kinds beyond those that there is room for all are. None are launches that are
 * large where the cache may have a choice for them, or K is timed from the first one on. */
static FAST bool is_early(struct launch *l, uint64_t shape) {
    if (process.mode != MODE_LEARN || process.tunes || get(l->state->pinned) != NOBODY || MUTATED(14) || is_tuned(l->state) ||
        (is_large(l) && (has_entries(l->state) || is_surely_long(l))))
        return false;
    l->turn = count(l, shape);
    return l->turn < FIRST_TIMED;
}

/* The last launch of a kind before which there may have been one that took so long. */
#define LAST_EARLY 6

/* What the last bit of a kind's time says: that the program had paused before that launch, too. */
#define PAUSED 1

/* K, counted; when it returned is kept for the next launch, and whether the `pause` before it was long. */
static FAST int run_early(const struct launch *l, uint64_t pause) {
    int result = run(l, 0);
    if (l->turn && l->turn < LAST_EARLY)
        put(l->state->returned[l->kind], (now() & ~(uint64_t)PAUSED) | (pause >= LONG_KERNEL ? PAUSED : 0));
    return result;
}

/* How much time has passed since then, nanoseconds: that launch took less, if the program has waited for it. 0: it does not count. */
static FAST uint64_t pause_of(const struct launch *l) {
    uint64_t returned = get(l->state->returned[l->kind]);
    return l->turn > 1 && l->turn <= LAST_EARLY && returned && l->kernel->versions ? now() - returned : 0;
}

#endif
