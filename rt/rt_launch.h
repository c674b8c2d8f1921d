/* What a launch is: its class, which candidates may run it, and how one of them is launched. */
#ifndef MESI_RT_LAUNCH_H
#define MESI_RT_LAUNCH_H

#include "rt_base.h"
#include "rt_mapped.h"

/* Static and dynamic shared memory that a kernel has without being allowed more, bytes. */
#define SHARED_LIMIT 49152u

static bool is_per_thread(const struct mesi_kernel *kernel) { return kernel->flags & 1; }

/* The stream by the name that it has where 0 is the stream of all. */
static FAST void *driver_stream(const struct mesi_kernel *kernel, void *stream) {
    return is_per_thread(kernel) && !stream ? (void *)THREAD_STREAM : stream;
}

/* Each thread has a default stream of its own under one name. */
static FAST void *own_stream(void *driver_stream) {
    return driver_stream == (void *)THREAD_STREAM ? __builtin_thread_pointer() : driver_stream;
}

static FAST struct lane *lane_of(void *context) { return &process.lane[(uintptr_t)context * 0x9e3779b97f4a7c15u >> 60]; }
_Static_assert(LANES == 16, "four bits choose a lane");

/* Whether the stream records the launch for a graph in place of running it; yes if the driver does not say. A node may be
 * given other arguments later and programs find nodes by their function, so what is recorded is the program's launch. The
 * stream of all never records, and asking about it while another stream does is an error. */
static FAST bool is_captured(const struct launch *l) {
    int status = 0;
    if ((uintptr_t)l->driver_stream <= LEGACY_STREAM || MUTATED(1))
        return false;
    if (process.driver.capturing)
        return process.driver.capturing(l->driver_stream, &status) || status;
    if (is_per_thread(l->kernel))
        return cudaStreamIsCapturing_ptsz && (cudaStreamIsCapturing_ptsz(l->stream, &status) || status);
    return cudaStreamIsCapturing && (cudaStreamIsCapturing(l->stream, &status) || status);
}

/* Whether rows of so many elements begin at 16 elements, at 4, or elsewhere: copies of several elements at once need that, so versions that gain
 * in one case may lose in another. */
static uint64_t alignment_of(uint64_t value) { return value % 16 == 0 ? 2 : value % 4 == 0; }

static FAST uint64_t integer_at(const void *place, uint32_t bytes) {
    union {
        uint8_t of1;
        uint16_t of2;
        uint32_t of4;
        uint64_t of8;
    } value = {.of8 = 0};
    switch (bytes) {
    case 1: __builtin_memcpy(&value, place, 1); return value.of1;
    case 2: __builtin_memcpy(&value, place, 2); return value.of2;
    case 4: __builtin_memcpy(&value, place, 4); return value.of4;
    default: __builtin_memcpy(&value, place, 8); return value.of8;
    }
}

/* How often `part` goes into `whole`, rounded up, up to `most`. */
static FAST uint32_t rounds_up_to(uint32_t most, uint64_t whole, uint64_t part) {
    uint32_t rounds = 1;
    while (rounds < most && whole > rounds * part)
        rounds++;
    return rounds;
}

/* How often loops over so many go round that all threads share, or all blocks, while that is rarely: twice takes twice as long as once, and magnitudes do
 * not tell them apart. 0: the kernel has none such. */
static FAST uint64_t loops_of(const struct launch *l, uint64_t value) {
    if (!(l->kernel->flags & 2) || MUTATED(41))
        return 0;
    uint64_t blocks = l->numbers[3], threads = blocks * l->numbers[0];
    return rounds_up_to(ROUNDS_OF_LOOPS, value, threads) | rounds_up_to(ROUNDS_OF_LOOPS, value, blocks) << 8;
}

/* The integers of the arguments, each by its magnitude, its alignment, and how it compares with the grid. */
static FAST uint64_t magnitudes(const struct launch *l) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < l->kernel->scalars; i++) {
        const struct mesi_scalar *s = &l->kernel->scalar[i];
        uint64_t value = integer_at((const char *)l->args[s->index] + s->offset, s->bytes);
        all = mix(all, MUTATED(16) ? bits_of(value) : bits_of(value) | alignment_of(value) << 8 | loops_of(l, value) << 16);
    }
    return all;
}

/* The part of the class's key that another process has, too. */
static FAST uint64_t shape_of(const struct launch *l) {
    const uint32_t *n = l->numbers;
    uint64_t hash = mix(0x6d657369, n[0] | (uint64_t)n[1] << 32);
    hash = mix(hash, n[2] | (uint64_t)bits_of(n[3]) << 32 | (uint64_t)bits_of(n[4]) << 40 | (uint64_t)bits_of(n[5]) << 48);
    hash = mix(hash, l->shared);
    return mix(hash, magnitudes(l));
}

/* The whole of it but for the admissible candidates; never 0. */
static uint64_t key_of(uint64_t shape, void *context) {
    uint64_t key = mix(shape, (uintptr_t)context);
    return key ? key : 1;
}

static uint32_t threads_of(const uint32_t *numbers) { return numbers[0] * numbers[1] * numbers[2]; }

/* Whether the model's time of a launch is all that it takes: of warps that are partly empty it knows nothing. */
static bool is_timed(const struct mesi_kernel *kernel, const uint32_t *numbers) {
    return kernel->flags & 4 && (threads_of(numbers) % 32 == 0 || MUTATED(50));
}

/* Whether any kernel may be launched so. */
static FAST bool is_valid(const uint32_t *n) {
    for (int i = 0; i < 6; i++)
        if (!n[i])
            return false;
    return n[0] <= 1024 && n[1] <= 1024 && n[2] <= 64 && threads_of(n) <= 1024 && n[3] <= 0x7fffffffu && n[4] <= 65535 &&
           n[5] <= 65535;
}

/* Finds the other blocks that the launch may have. */
static FAST void reshape(struct launch *l) {
    l->has_other = false;
    if (!l->kernel->reshape || l->shared)
        return;
    memcpy(l->other, l->numbers, sizeof l->other);
    l->has_other = l->kernel->reshape(l->args, l->other) && is_valid(l->other) &&
                   memcmp(l->other, l->numbers, sizeof l->other) != 0;
}

static bool is_other(const struct launch *l, uint32_t candidate) { return candidate > l->kernel->versions; }

/* The version that a candidate is; null: K. */
static FAST const struct mesi_version *version_of(const struct mesi_kernel *kernel, uint32_t candidate) {
    uint32_t i = candidate > kernel->versions ? candidate - kernel->versions - 1 : candidate;
    return i ? &kernel->version[i - 1] : 0;
}

/* The numbers that a candidate is launched with; null: it may not have this launch. `room`: for those that are made for it. */
static FAST const uint32_t *numbers_of(const struct launch *l, uint32_t candidate, uint32_t *room) {
    const struct mesi_version *v = version_of(l->kernel, candidate);
    bool folds = v && v->fold && !MUTATED(18);
    if (is_other(l, candidate))
        return l->has_other && !folds ? l->other : 0;
    if (!folds)
        return l->numbers;
    memcpy(room, l->numbers, sizeof l->numbers);
    room[6] = 0;
    /* Dynamic memory is of the program's launch, unless the version has a part of it for each block of that. */
    bool has_memory = !l->shared || (v->parts && !MUTATED(44)) || MUTATED(43);
    return has_memory && v->fold(l->args, room) && is_valid(room) ? room : 0;
}

/* Dynamic shared memory that a version, or K, is launched with in blocks of so many threads. */
static FAST size_t dynamic_of(const struct launch *l, const struct mesi_version *v, uint32_t threads) {
    if (v && v->per_thread && !MUTATED(34))
        return (size_t)v->per_thread * (MUTATED(35) ? threads : (threads + 31) & ~31u);
    size_t rounded = MUTATED(27) ? l->shared : (l->shared + 15) & ~(size_t)15;
    return v && v->parts && !MUTATED(28) ? v->parts * rounded : l->shared;
}

/* Most shared memory of a block that the device has for a kernel that is allowed it; what all have if the driver does not say. */
static SLOW uint32_t most_shared(void) {
    const struct driver *d = &process.driver;
    int device = 0, value = 0;
    if (!d->set_function_attribute || !cudaGetFuncBySymbol || !d->device || !d->device_attribute || d->device(&device) ||
        d->device_attribute(&value, DEVICE_MOST_SHARED, device))
        return SHARED_LIMIT;
    return (uint32_t)value > SHARED_LIMIT ? (uint32_t)value : SHARED_LIMIT;
}

/* Whether the device has the shared memory that a version takes for this launch, in blocks of so many threads. */
static FAST bool has_room(const struct launch *l, const struct mesi_version *v, uint32_t threads) {
    if (l->shared > SHARED_LIMIT)
        return false;
    size_t all = v->shared + dynamic_of(l, v, threads);
    return all <= SHARED_LIMIT || ((v->parts || v->per_thread) && (MUTATED(29) || all <= most_shared()));
}

/* Allows a version all the dynamic shared memory that the device has for it, so that no other thread's launch is allowed less; whether it may
 * have it. The driver's errors are none of the program's. */
static SLOW bool allow(const struct mesi_version *v) {
    const struct driver *d = &process.driver;
    void *function = 0;
    int mode = CAPTURE_RELAXED, failed = 1, dynamic = (int)(most_shared() - v->shared);
    if (!d->set_function_attribute || !cudaGetFuncBySymbol)
        return false;
    if (d->exchange)
        d->exchange(&mode);
    if (cudaGetFuncBySymbol(&function, v->stub) == 0) {
        failed = d->set_function_attribute(function, FUNCTION_MAX_DYNAMIC, dynamic);
        if (failed == NOT_LOADED && d->load && d->load(function) == 0)
            failed = d->set_function_attribute(function, FUNCTION_MAX_DYNAMIC, dynamic);
    }
    if (d->exchange)
        d->exchange(&mode);
    return failed == 0;
}

/* The device's compute capability, 90 for 9.0; 0: not known. */
static SLOW uint32_t chip_now(void) {
    const struct driver *d = &process.driver;
    int device = 0, major = 0, minor = 0;
    if (!d->device || !d->device_attribute || d->device(&device))
        return 0;
    uint32_t *known = &process.chip[(uint32_t)device % DEVICES], chip = get(*known);
    if (chip >> 16 == (uint32_t)device + 1)
        return chip & 0xffff;
    if (d->device_attribute(&major, DEVICE_MAJOR, device) || d->device_attribute(&minor, DEVICE_MINOR, device))
        return 0;
    chip = (uint32_t)(10 * major + minor);
    put(*known, ((uint32_t)device + 1) << 16 | chip);
    return chip;
}

/* Whether a candidate may run the launch, once `reshape` was asked; `threads`: of a block, at most, that K itself accepts. */
static FAST bool is_sound(const struct launch *l, uint32_t candidate, uint32_t threads) {
    const struct mesi_version *v = version_of(l->kernel, candidate);
    mesi_room room;
    const uint32_t *numbers = numbers_of(l, candidate, room);
    if (!numbers)
        return false;
    if (!v)
        return threads_of(numbers) <= threads;
    return threads_of(numbers) <= v->threads && has_room(l, v, threads_of(numbers)) && (!v->chip || v->chip == chip_now() || MUTATED(33)) &&
           (!v->sound || MUTATED(2) || v->sound(l->args, numbers)) && (!v->mapped || MUTATED(36) || reads_memory(l, v, numbers));
}

/* The same for one candidate of a launch of which nothing was asked so far. */
static FAST bool may_run(struct launch *l, uint32_t candidate, uint32_t threads) {
    if (is_other(l, candidate))
        reshape(l);
    return is_sound(l, candidate, threads);
}

/* The candidates that may run the launch, if K accepts all blocks that it was made for. */
static FAST uint32_t admissible(struct launch *l) {
    uint32_t mask = 1, last = 2 * l->kernel->versions + 1;
    reshape(l);
    for (uint32_t i = 1; i <= last; i++)
        if (is_sound(l, i, l->kernel->threads))
            mask |= 1u << i;
    return mask;
}

/* `mask` without K in other blocks, if they have more threads than K accepts. */
static FAST uint32_t within(const struct launch *l, uint32_t mask, uint32_t threads) {
    return l->has_other && threads_of(l->other) > threads ? mask & ~(2u << l->kernel->versions) : mask;
}

/* The arguments of a candidate that is launched with `numbers`: the launch's, and the list of blocks if it takes one. */
static FAST void **arguments_of(const struct launch *l, uint32_t *room, const uint32_t *numbers, void **with_list) {
    if (numbers != room || !room[6] || room[6] > MESI_PARAMETERS + 1 || MUTATED(26))
        return l->args;
    uint32_t count = room[6] - 1;
    memcpy(with_list, l->args, count * sizeof *with_list);
    with_list[count] = room + 7;
    return with_list;
}

/* How many groups of so many blocks along each dimension a grid has; the last may be short. */
static struct mesi_dim3 groups_of(uint32_t merged, struct mesi_dim3 grid) {
    uint32_t x = merged & 255, y = merged >> 8 & 255, z = merged >> 16 & 255;
    struct mesi_dim3 groups = {x > 1 ? (grid.x - 1) / x + 1 : grid.x, y > 1 ? (grid.y - 1) / y + 1 : grid.y, z > 1 ? (grid.z - 1) / z + 1 : grid.z};
    return groups;
}

/* Launches one candidate. K in the program's own blocks is launched as the program said, word for word. */
static FAST int run(const struct launch *l, uint32_t candidate) {
    bool own = is_per_thread(l->kernel);
    if (l->config && !candidate)
        return (own ? cudaLaunchKernelExC_ptsz : cudaLaunchKernelExC)(l->config, l->kernel->stub, l->args);
    const struct mesi_version *v = version_of(l->kernel, candidate);
    mesi_room room;
    const uint32_t *n = numbers_of(l, candidate, room);
    /* Nobody chooses what may not run. */
    if (!n)
        n = l->numbers, v = 0;
    struct mesi_dim3 block = {n[0], n[1], n[2]}, grid = {n[3], n[4], n[5]};
    if (v && v->blocks && v->blocks < grid.x && !MUTATED(17))
        grid.x = v->blocks;
    if (v && v->merged && !MUTATED(39))
        grid = groups_of(v->merged, grid);
    size_t dynamic = dynamic_of(l, v, threads_of(n));
    /* Beyond what all kernels have, for this context: setting it takes less than knowing whether it is set. */
    if (v && v->shared + dynamic > SHARED_LIMIT && !MUTATED(30) && !allow(v))
        return INVALID_VALUE;
    void *with_list[MESI_PARAMETERS + 1];
    void **args = v ? arguments_of(l, room, n, with_list) : l->args;
    return (own ? cudaLaunchKernel_ptsz : cudaLaunchKernel)(v ? v->stub : l->kernel->stub, grid, block, args, dynamic, l->stream);
}

/* Launches a candidate, and K if the runtime refuses it: then the candidate is never used again. The error that it left behind
 * goes, unless one was `pending` before. If K is refused as well, it was no fault of the candidate's. */
static FAST int run_or_k(const struct launch *l, struct class *c, uint32_t candidate, bool pending) {
    int failed = run(l, candidate);
    if (!failed || !candidate || MUTATED(3))
        return failed;
    if (!pending && cudaGetLastError)
        cudaGetLastError();
    failed = run(l, 0);
    if (!failed) {
        __atomic_fetch_or(&l->state->broken, 1u << candidate, __ATOMIC_RELAXED);
        if (get(c->choice) == candidate)
            put(c->choice, 0);
    }
    return failed;
}

#endif
