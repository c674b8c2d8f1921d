/* Launches whose class is not settled, or not known: all questions are asked. */
#ifndef MESI_RT_CLASS_H
#define MESI_RT_CLASS_H

#include "rt_early.h"
#include "rt_trial.h"

/* What K accepts at present, by its code and attributes: threads of a block, bytes of dynamic shared memory. False: it takes no
 * launch without clusters, or is not to be had. */
static bool ask_kernel(const struct launch *l, uint32_t *threads, uint32_t *dynamic) {
    const struct driver *d = &process.driver;
    *threads = l->kernel->threads;
    *dynamic = l->kernel->shared < SHARED_LIMIT ? SHARED_LIMIT - l->kernel->shared : 0;
    if (!d->function_attribute || !cudaGetFuncBySymbol)
        return true;
    void *function = 0;
    int mode = CAPTURE_RELAXED, value = 0;
    bool known = false, clusters = false;
    if (d->exchange)
        d->exchange(&mode);
    if (cudaGetFuncBySymbol(&function, l->kernel->stub) == 0) {
        int failed = d->function_attribute(&value, FUNCTION_MAX_THREADS, function);
        /* K was never launched. The launch at hand would load it now, so that nothing waits for its code that would not have waited before. */
        if (failed == NOT_LOADED && d->load && d->load(function) == 0)
            failed = d->function_attribute(&value, FUNCTION_MAX_THREADS, function);
        /* Whatever registers it takes, blocks of so many threads have room. */
        if (failed == NOT_LOADED) {
            value = ANY_REGISTERS;
            failed = 0;
        }
        known = failed == 0;
        *threads = known && (uint32_t)value < *threads ? (uint32_t)value : *threads;
        failed = d->function_attribute(&value, FUNCTION_MAX_DYNAMIC, function);
        known = known && (failed == 0 || failed == NOT_LOADED);
        *dynamic = failed ? *dynamic : (uint32_t)value;
        /* Drivers that do not know clusters know no such attribute. */
        clusters = d->function_attribute(&value, FUNCTION_MUST_CLUSTER, function) == 0 && value;
        clusters |= d->function_attribute(&value, FUNCTION_CLUSTER_WIDTH, function) == 0 && value;
    }
    if (d->exchange)
        d->exchange(&mode);
    return known && !clusters;
}

/* Of `mask`, those that the model is sure of. */
static uint32_t promising(const struct launch *l, uint32_t mask) {
    uint32_t sure = 0;
    for (uint32_t i = 1; mask >> i; i++) {
        const struct mesi_version *v = version_of(l->kernel, i);
        mesi_room room;
        const uint32_t *n = mask >> i & 1 && v && v->pays ? numbers_of(l, i, room) : 0;
        if (n && v->pays(l->args, n))
            sure |= 1u << i;
    }
    return sure;
}

/* Threads that fill any chip several times over, and how many times as many are for nothing then: a warp for each thread is of use where few have much to do. */
#define FILLS_ANY (1u << 20)
#define MANY_TIMES 8

static uint64_t launched_threads(const uint32_t *n) { return (uint64_t)n[0] * n[1] * n[2] * n[3] * n[4] * n[5]; }

/* Of `mask`, versions that are launched with so many times the program's threads, though those fill any chip. */
static uint32_t overdone(const struct launch *l, uint32_t mask) {
    uint32_t all = 0;
    uint64_t own = launched_threads(l->numbers);
    if (own < FILLS_ANY || MUTATED(68))
        return 0;
    for (uint32_t i = 1; i <= l->kernel->versions; i++) {
        mesi_room room;
        const uint32_t *n = mask >> i & 1 && l->kernel->version[i - 1].fold ? numbers_of(l, i, room) : 0;
        if (n && launched_threads(n) / MANY_TIMES >= own)
            all |= 1u << i;
    }
    return all;
}

/* Asks of a new class what the model is sure of, and what is launched with too many threads. */
static void look_at_candidates(const struct launch *l, struct class *c) {
    c->promising = promising(l, c->mask);
    c->overdone = overdone(l, c->mask);
}

static bool has_own_launch(const struct launch *l, uint32_t candidate) { return l->kernel->version[candidate - 1].fold && !MUTATED(40); }

/* The first of `sure` that is launched like the last that has a launch of its own: versions of one copy are, and the first gains most in the largest launches. */
static uint32_t first_like(const struct launch *l, uint32_t sure, uint32_t last) {
    mesi_room of_last, of_one;
    const uint32_t *n = numbers_of(l, last, of_last);
    for (uint32_t i = 1; i < last && n; i++) {
        const uint32_t *m = sure >> i & 1 && has_own_launch(l, i) && !MUTATED(49) ? numbers_of(l, i, of_one) : 0;
        if (m && !memcmp(m, n, sizeof(mesi_numbers)))
            return i;
    }
    return last;
}

/* Of those that the model is sure of, the last that has a launch of its own, or the first of those that have the same: what is written in another way altogether
 * stands behind what is planned, and gains more. Else the first, in other blocks if the launch has them; or NOBODY. */
static uint32_t prior_of(const struct launch *l, uint32_t sure) {
    uint32_t versions = l->kernel->versions;
    for (uint32_t i = versions; i > 0; i--)
        if (sure >> i & 1 && has_own_launch(l, i))
            return first_like(l, sure, i);
    for (uint32_t i = versions + 2; i <= 2 * versions + 1; i++)
        if (sure >> i & 1)
            return i;
    for (uint32_t i = 1; i <= versions; i++)
        if (sure >> i & 1)
            return i;
    return NOBODY;
}

/* Has `candidate` run though nothing was measured here. */
static void trust(struct class *c, uint32_t candidate, enum why why) {
    put(c->why, (uint32_t)why);
    set_duel(c, 0, candidate);
    c->trusted = true;
    c->first = !c->few;
    c->waiting = c->few ? NOBODY : (uint8_t)candidate;
}

/* Sets the choice of a class that is made for a launch which is not large, and the first of its kind: what the model is sure of. The cache is asked when there are
 * as many launches of the kind as with any other, or when K has to be compared. */
static void go_ahead(struct launch *l, struct class *c) {
    look_at_candidates(l, c);
    c->challenger = c->waiting = c->runner = c->half = NOBODY;
    c->ahead = true;
    put(c->why, WHY_LEARNING);
    uint32_t prior = prior_of(l, c->promising & ~get(l->state->broken) & ~doubtful(l->state));
    if (prior == NOBODY)
        return;
    trust(c, prior, WHY_PRIOR);
    c->expected = expected_time(l);
}

/* Has K timed next, of a class whose launches may take long while the model is sure of nothing, and then the candidate whose turn it is; whether there is one
 * that nothing speaks against. */
static bool try_early(struct launch *l, struct class *c) {
    bool is_long = l->long_before || (l->kernel->large && is_large(l));
    bool is_early = process.mode == MODE_LEARN && process.can_measure && !process.tunes && get(c->launches) + 2 < FIRST_TIMED;
    if (!is_early || c->trial != TRIAL_NONE || !is_long || MUTATED(53))
        return false;
    uint32_t next = next_candidate(l->state, c);
    if (next == NOBODY || (doubtful(l->state) | c->overdone) >> next & 1)
        return false;
    set_duel(c, 0, next);
    c->ahead = true;
    c->trial = TRIAL_OF_K;
    return true;
}

/* Sets a new class's choice. */
static void begin(struct launch *l, struct class *c) {
    struct state *state = l->state;
    uint32_t pinned = get(state->pinned), broken = get(state->broken);
    struct cached entry;
    c->base = 0;
    c->challenger = c->waiting = c->runner = c->half = NOBODY;
    c->few = process.tunes && process.can_measure && !MUTATED(37);
    put(c->look, 0);
    put(c->why, WHY_LEARNING);
    if (pinned != NOBODY) {
        put(c->choice, c->mask >> pinned & 1 ? pinned : 0);
        settle(c, WHY_PINNED, UINT64_MAX);
        return;
    }
    look_at_candidates(l, c);
    if (process.mode != MODE_PRIOR)
        c->chip = chip_of(c->context);
    /* Before FIRST_TIMED the program's GPU may wait for the answer: a file that is not there takes long, too. */
    bool is_first = process.mode == MODE_LEARN && !process.tunes && get(c->launches) + 1 < FIRST_TIMED;
    bool asks = process.mode != MODE_PRIOR && (!is_first || has_entries(state));
    bool hit = asks && cache_read(state, c, &entry);
    if (hit && entry.choice && (!(c->mask >> entry.choice & 1) || broken >> entry.choice & 1))
        hit = false;
    if (hit && (entry.current || process.mode == MODE_CACHE)) {
        put(c->choice, entry.choice);
        c->base = (uint8_t)entry.choice;
        c->gain = entry.gain;
        c->low = entry.low;
        c->high = entry.high;
        c->decided_pairs = entry.pairs;
        c->tested = c->mask;
        bool has_runner = entry.runner < CANDIDATES && c->mask >> entry.runner & 1 && entry.runner != entry.choice;
        c->runner = has_runner ? (uint8_t)entry.runner : NOBODY;
        set_warm(c, entry.choice);
        bool looks = process.can_measure && c->runner != NOBODY;
        settle(c, WHY_CACHED, looks ? LOOK_AT_CACHED : UINT64_MAX);
        return;
    }
    if (!hit && asks && process.can_measure && read_open(state, c)) {
        c->first = c->trusted && !c->pairs && !c->few;
        set_warm(c, get(c->choice));
        if (c->challenger == NOBODY)
            go_on(state, c);
        return;
    }
    /* What an early trial spoke for runs already. */
    bool is_tried = c->trial == TRIAL_DONE && get(c->choice);
    uint32_t prior = hit && entry.choice ? entry.choice : is_tried ? get(c->choice) : prior_of(l, c->promising & ~broken & ~doubtful(l->state));
    if (prior != NOBODY && (hit || !process.can_measure || MUTATED(14) || is_large(l) || l->long_before || get(c->choice) == prior)) {
        trust(c, prior, is_tried ? WHY_LEARNING : WHY_PRIOR);
        c->timed_alone |= hit || c->few;
        c->expected = c->timed_alone ? 0 : expected_time(l);
        return;
    }
    put(c->choice, 0);
    if (try_early(l, c))
        return;
    if (process.can_measure) {
        set_duel(c, 0, next_candidate(state, c));
        if (c->challenger != NOBODY)
            return;
    }
    settle(c, process.mode == MODE_LEARN ? WHY_UNMEASURED : WHY_FIXED, UINT64_MAX);
}

/* Whether the kernel has no candidate that is not in `mask`. */
static bool is_full(const struct mesi_kernel *kernel, size_t shared, uint32_t mask) {
    uint32_t all = (2u << kernel->versions) - 1, others = all;
    for (uint32_t i = 0; i < kernel->versions; i++)
        if (kernel->version[i].fold)
            others &= ~(2u << i);
    if (kernel->reshape && !shared)
        all |= others << (kernel->versions + 1);
    return mask == all;
}

/* The class of that key whose candidates are `mask`; null: none. */
static struct class *find(struct state *state, uint64_t key, uint32_t mask) {
    struct class *all = get_acquire(state->classes);
    for (uint32_t i = 0; i < CLASSES; i++) {
        uint64_t other = get_acquire(all[i].key);
        if (!other)
            return 0;
        if (other == key && all[i].mask == mask)
            return &all[i];
    }
    return 0;
}

/* Classes of the first kernels: asking the system for pages takes 20 us, touching one of these few. Claimed in order, never given back. */
#define POOL 16
static struct class pool[POOL][CLASSES];
static uint32_t pooled;

/* The kernel's classes, made with its first; null if there is no memory. Only who holds the kernel's flag is here. */
static struct class *make_classes(struct state *state) {
    if (state->classes != &no_class)
        return state->classes;
    uint32_t place = get(pooled) < POOL ? add(pooled, 1) : POOL;
    struct class *all = place < POOL ? pool[place] : mmap(0, sizeof *pool, MAP_READ_WRITE, MAP_OWN_ZEROES, -1, 0);
    if ((intptr_t)all == -1)
        return 0;
    put_release(state->classes, all);
    return all;
}

/* Adds a class; null if there is no room. Only who holds the kernel's flag is here. */
static SLOW struct class *add_class(struct launch *l, uint64_t shape, uint64_t key, uint32_t mask, uint32_t threads) {
    struct class *all = make_classes(l->state);
    for (uint32_t i = 0; all && i < CLASSES; i++) {
        struct class *c = &all[i];
        if (get(c->key))
            continue;
        c->shape = shape;
        c->context = l->context;
        c->mask = mask;
        c->full = is_full(l->kernel, l->shared, mask);
        c->threads = threads;
        memcpy(c->numbers, l->numbers, sizeof c->numbers);
        c->shared = (uint32_t)l->shared;
        /* With those that came before, so that this one may be timed. Of another context, or with other candidates, they are none of its. */
        put(c->launches, l->turn && l->turn <= FIRST_TIMED ? l->turn - 1 : 0);
        if (l->ahead)
            go_ahead(l, c);
        else
            begin(l, c);
        put_release(c->key, key);
        return c;
    }
    return 0;
}

/* What K accepts, as a class of the context has it, or as the driver says. */
static bool limits(struct launch *l, uint64_t key, uint32_t *threads) {
    uint32_t dynamic = 0;
    const struct class *all = get_acquire(l->state->classes);
    for (uint32_t i = 0; i < CLASSES; i++) {
        uint64_t other = get_acquire(all[i].key);
        if (!other)
            break;
        /* Of the same blocks and dynamic shared memory. */
        if (other == key) {
            *threads = all[i].threads;
            return true;
        }
    }
    return ask_kernel(l, threads, &dynamic) && threads_of(l->numbers) <= *threads && l->shared <= dynamic;
}

/* Begins a class that went ahead. */
static SLOW void learn_from_here(struct launch *l, struct class *c) {
    int kept = *__errno_location();
    c->ahead = false;
    begin(l, c);
    *__errno_location() = kept;
    /* It runs already. */
    if (process.can_measure && c->waiting != NOBODY && c->waiting == get(c->choice))
        c->waiting = NOBODY;
}

/* Launches by a class that goes ahead: holds its flag, and lets it go. */
static SLOW int run_ahead(struct launch *l, struct class *c) {
    bool pending = cudaPeekAtLastError && cudaPeekAtLastError() != 0, measures = !pending && may_measure(l, c);
    if (measures && c->trial != TRIAL_NONE && get(c->launches) < FIRST_TIMED)
        return run_tried(l, c);
    if (c->waiting != NOBODY && (is_loaded(l, c, c->waiting) || may_load(l)))
        return run_trusted(l, c, measures, pending);
    if (measures)
        poll_guarded(l, c);
    if (get(c->launches) >= FIRST_TIMED) {
        learn_from_here(l, c);
        return run_learning(l, c);
    }
    if (measures && c->own_time == TIME_DOUBTED) {
        c->trial = TRIAL_OF_K;
        return run_tried(l, c);
    }
    put(c->look, c->waiting != NOBODY ? 0 : c->flights ? c->flight[c->oldest].poll : FIRST_TIMED);
    uint32_t choice = get(c->choice);
    let_go(&c->busy);
    return run_or_k(l, c, choice, pending);
}

/* How many times faster than it is the model may take K for: memory that threads read with large strides, arithmetic of many instructions. */
#define TOO_FAST 8

/* Whether the launch of its kind before may have taken long, behind a pause that was: the model agrees, or the one before that was, too, and the model does not
 * know, or may take K for so much faster than it is. Once may be something else that the program has done. */
static SLOW bool was_long(const struct launch *l) {
    bool is_known = is_timed(l->kernel, l->numbers), paused_twice = get(l->state->returned[l->kind]) & PAUSED;
    if (is_known)
        return expected_time(l) * (paused_twice && !MUTATED(60) ? TOO_FAST : 1) >= LONG_KERNEL || MUTATED(52);
    return (is_large(l) && !MUTATED(59)) || paused_twice || MUTATED(56);
}

/* What K is to take at least for a version to be launched in its place, nanoseconds, where that is known: a version's code takes 8 to 30 us to load (an H200, 65
 * versions of 24 kernels; 14 in the median), a kind's first class as much again, and the model may take K for twice as slow as it is. */
#define LEAST_AHEAD 40000

/* Whether the first launch of its kind is one for which the model is sure of a version. Of a large one all is asked at once. */
static SLOW bool goes_ahead(struct launch *l) {
    if (l->turn != 1 || (is_timed(l->kernel, l->numbers) && expected_time(l) < LEAST_AHEAD && !MUTATED(48)) || MUTATED(45))
        return false;
    reshape(l);
    bool is_sure = promising(l, (2u << (2 * l->kernel->versions + 1)) - 1) != 0;
    l->ahead = is_sure && !is_large(l);
    return is_sure;
}

static SLOW int choose_slowly(struct launch *l, uint64_t shape, uint64_t key) {
    struct state *state = l->state;
    if (!is_valid(l->numbers))
        return run(l, 0);
    uint32_t threads = 0, mask = admissible(l);
    struct class *c = 0;
    /* The driver is not asked what K accepts where only K may run. */
    if (mask != 1) {
        if (is_captured(l) || !limits(l, key, &threads))
            return run(l, 0);
        mask = within(l, mask, threads);
        c = mask == 1 ? 0 : find(state, key, mask);
    }
    if (!c && mask != 1 && take(&state->busy)) {
        int kept = *__errno_location();
        c = find(state, key, mask);
        if (!c)
            c = add_class(l, shape, key, mask, threads);
        *__errno_location() = kept;
        let_go(&state->busy);
    }
    if (!c) {
        add(state->beyond, 1);
        return run(l, 0);
    }
    uint64_t launches = get(c->launches) + 1;
    put(c->launches, launches);
    if (launches >= get(c->look) && take(&c->busy))
        return c->ahead ? run_ahead(l, c) : run_learning(l, c);
    uint32_t choice = get(c->choice);
    return run_or_k(l, c, choice, false);
}

#endif
