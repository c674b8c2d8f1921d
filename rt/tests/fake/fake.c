#include "fake.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct fake fake;
struct seen seen;
int fake_device;
uint32_t fake_sound = ~0u, fake_pays, fake_small, fake_large_grid, fake_rewritten;
int fake_trims, fake_reshapes, fake_relies, fake_folds, fake_unfoldable, fake_blocks, fake_parts, fake_only_on, fake_per_thread, fake_maps, fake_merged;

#define STREAMS 32
#define DEVICES 4
/* Shared memory that kernels have without being allowed more, and a version's own. */
enum { ALL_HAVE = 49152, OWN_SHARED = 4096 };
enum { POINTER_MEMORY = 2, POINTER_ACCESS = 16, NOT_FOUND = 500 };
enum { OWN_BLOCK = 64, OTHER_BLOCK = 128, FOLD_BLOCK = 48 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char stub[STUBS];
static double host_time, free_at[DEVICES][STREAMS];
static uint64_t random_state;
static int loaded[DEVICES][STUBS], allowed[DEVICES][STUBS];
static unsigned long long context_id[DEVICES] = {1, 2, 3, 4};
static char context[DEVICES][64];
static unsigned long long next_context_id = 10;
static int captured[STREAMS], captured_elsewhere;
static _Thread_local int last_error, capture_mode;

struct event {
    unsigned long long context_id;
    double at;
    int recorded;
};

/* Counts a call; with several threads at a time, not exactly. */
static void called(void) {
    if (!fake.quick)
        __atomic_fetch_add(&seen.calls, 1, __ATOMIC_RELAXED);
}

char *fake_getenv(const char *name);
char *fake_getenv(const char *name) {
    __atomic_fetch_add(&seen.variables, 1, __ATOMIC_RELAXED);
    return getenv(name);
}
int fake_open(const char *path, int flags, ...);
int fake_open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    __atomic_fetch_add(&seen.files, 1, __ATOMIC_RELAXED);
    return open(path, flags, mode);
}
void *fake_mmap(void *at, size_t bytes, int protection, int flags, int file, long offset);
void *fake_mmap(void *at, size_t bytes, int protection, int flags, int file, long offset) {
    __atomic_fetch_add(&seen.maps, 1, __ATOMIC_RELAXED);
    return mmap(at, bytes, protection, flags, file, offset);
}

static double uniform(void) {
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

static double factor(void) {
    double normal = sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
    double f = 1 + fake.noise * normal;
    if (fake.outliers > 0 && uniform() < fake.outliers)
        f *= 1 + uniform();
    return f > 0.1 ? f : 0.1;
}

void fake_forget(void) {
    memset(&seen, 0, sizeof seen);
    memset(free_at, 0, sizeof free_at);
    memset(loaded, 0, sizeof loaded);
    memset(allowed, 0, sizeof allowed);
    host_time = 0;
    random_state = fake.seed * 7919 + 17;
}

uint64_t mesi_test_clock(void);
uint64_t mesi_test_clock(void) {
    pthread_mutex_lock(&lock);
    uint64_t t = (uint64_t)host_time;
    pthread_mutex_unlock(&lock);
    return t;
}

uint64_t mesi_test_ran(void);
uint64_t mesi_test_ran(void) { return fake.ran; }

static int stream_of(void *s) { return (int)((uintptr_t)s % STREAMS); }

static double all_done(void) {
    double last = 0;
    for (int i = 0; i < STREAMS; i++)
        last = fmax(last, free_at[fake_device][i]);
    return last;
}

void fake_sync(void) {
    pthread_mutex_lock(&lock);
    host_time = fmax(host_time, all_done()) + 2000;
    pthread_mutex_unlock(&lock);
}

void fake_reset_device(void) {
    pthread_mutex_lock(&lock);
    context_id[fake_device] = next_context_id++;
    memset(loaded[fake_device], 0, sizeof loaded[fake_device]);
    memset(allowed[fake_device], 0, sizeof allowed[fake_device]);
    pthread_mutex_unlock(&lock);
}

void fake_capture(int stream, int on, int elsewhere) {
    if (elsewhere)
        captured_elsewhere = on;
    else
        captured[stream] = on;
}

int fake_last_error(int clear) {
    int e = last_error;
    if (clear)
        last_error = 0;
    return e;
}
void fake_set_error(int error) { last_error = error; }

/* Calls that are not allowed while another thread captures, but in relaxed mode. */
static void unsafe_call(void) {
    if (captured_elsewhere && capture_mode != 2)
        seen.broken_captures++;
}

static int launch(const void *s, const uint32_t *block, size_t shared, void *stream, int attributes) {
    if (fake.quick)
        return 0;
    long which = (const char *)s - stub;
    if (which < 0 || which >= STUBS)
        abort();
    pthread_mutex_lock(&lock);
    int other = block[0] != OWN_BLOCK && block[0] == OTHER_BLOCK;
    int candidate = (int)which + (other ? OTHER : 0), at = stream_of(stream);
    host_time += (double)fake.host_launch;
    /* A queue holds 1024 launches. */
    host_time = fmax(host_time, free_at[fake_device][at] - 1024 * fake.time[0]);
    int failed = fake.refuses[which];
    if (!failed && block[0] * block[1] * block[2] > (uint32_t)fake.max_threads)
        failed = 9;
    /* What K may have is the program's business. */
    size_t most = which && allowed[fake_device][which] ? (size_t)allowed[fake_device][which] : ALL_HAVE - OWN_SHARED;
    if (!failed && which && shared > most)
        failed = 1;
    *(which ? &seen.shared : &seen.shared_of_k) = shared;
    if (failed) {
        last_error = failed;
    } else if (captured[at]) {
        seen.captured++;
        seen.captured_versions += candidate != 0;
    } else {
        if (candidate && !(fake_sound >> candidate & 1))
            seen.unsound++;
        bool folded = block[0] == FOLD_BLOCK && block[1] == 8;
        if (folded != (which && fake_folds >> (which - 1) & 1))
            seen.unfolded++;
        if (fake.lazy && !loaded[fake_device][which]) {
            if (which && host_time < all_done())
                seen.busy_loads++;
            host_time = fmax(host_time, all_done()) + (double)fake.load;
        }
        loaded[fake_device][which] = 1;
        double f = factor(), start = fmax(host_time, free_at[fake_device][at]);
        /* What starts while another stream is busy gets half of the device. */
        for (int i = 0; i < STREAMS; i++)
            if (i != at && free_at[fake_device][i] > start)
                f *= 1.5;
        if (fake.behind_k > 0 && candidate && seen.last == 0)
            f *= fake.behind_k;
        free_at[fake_device][at] = start + fake.time[candidate] * f;
        seen.device += fake.time[candidate] * f;
        seen.plain += fake.time[0] * f;
        seen.launches[candidate]++;
        seen.last = candidate;
        seen.with_attributes += (uint64_t)attributes;
    }
    pthread_mutex_unlock(&lock);
    return failed;
}

/* The list of a trimmed version is the argument behind K's two, and K's launches have none. */
static void look_for_list(const struct mesi_dim3 *block, void **args) {
    bool folded = block->x == FOLD_BLOCK && block->y == 8;
    const uint32_t *list = args && fake_trims && folded ? args[2] : 0;
    if (folded && fake_trims && (!list || list[0] != FAKE_WORD || list[MESI_WORDS - 1] != FAKE_WORD))
        seen.unlisted++;
}

int cudaLaunchKernel(const void *s, struct mesi_dim3 grid, struct mesi_dim3 block, void **args, size_t shared, void *stream);
int cudaLaunchKernel(const void *s, struct mesi_dim3 grid, struct mesi_dim3 block, void **args, size_t shared, void *stream) {
    look_for_list(&block, args);
    __atomic_store_n(s == stub ? &seen.blocks_of_k : &seen.blocks, grid.x, __ATOMIC_RELAXED);
    return launch(s, &block.x, shared, stream, 0);
}
int cudaLaunchKernel_ptsz(const void *s, struct mesi_dim3 grid, struct mesi_dim3 block, void **args, size_t shared, void *stream);
int cudaLaunchKernel_ptsz(const void *s, struct mesi_dim3 grid, struct mesi_dim3 block, void **args, size_t shared, void *stream) {
    (void)grid;
    look_for_list(&block, args);
    return launch(s, &block.x, shared, stream ? stream : (void *)2, 0);
}

struct config {
    struct mesi_dim3 grid, block;
    size_t shared;
    void *stream;
    const void *attributes;
    unsigned count;
};
int cudaLaunchKernelExC(const void *config, const void *s, void **args);
int cudaLaunchKernelExC(const void *config, const void *s, void **args) {
    const struct config *c = config;
    (void)args;
    return launch(s, &c->block.x, c->shared, c->stream, c->count != 0);
}
int cudaPeekAtLastError(void);
int cudaPeekAtLastError(void) {
    called();
    return last_error;
}
int cudaGetLastError(void);
int cudaGetLastError(void) {
    called();
    return fake_last_error(1);
}
int cudaGetFuncBySymbol(void **function, const void *s);
int cudaGetFuncBySymbol(void **function, const void *s) {
    called();
    unsafe_call();
    *function = (void *)(uintptr_t)s;
    return 0;
}

/* The driver. */
static int get_context(void **c) {
    called();
    *c = context[fake_device];
    return 0;
}
static int get_id(void *c, unsigned long long *id) {
    called();
    pthread_mutex_lock(&lock);
    *id = context_id[((char *)c - context[0]) / 64];
    pthread_mutex_unlock(&lock);
    return 0;
}
static int get_device(int *d) {
    called();
    *d = fake_device;
    return 0;
}
static int device_attribute(int *value, int attribute, int device) {
    called();
    *value = attribute == 75 ? fake.chip / 10 : attribute == 76 ? fake.chip % 10 : attribute == 16 ? fake.multiprocessors + device : attribute == 97 ? fake.most_shared : attribute;
    return 0;
}
static int function_attribute(int *value, int attribute, void *f) {
    called();
    (void)f;
    *value = attribute == 0 ? fake.max_threads : attribute == 8 ? fake.max_dynamic : 0;
    return attribute > 11 ? 1 : 0;
}
static int set_function_attribute(void *f, int attribute, int value) {
    called();
    unsafe_call();
    long which = (const char *)f - stub;
    int failed = fake.disallows || attribute != 8 || value > fake.most_shared - OWN_SHARED;
    pthread_mutex_lock(&lock);
    if (fake.lazy && !loaded[fake_device][which])
        failed = 913;
    if (!failed) {
        allowed[fake_device][which] = value;
        seen.allowed++;
    }
    pthread_mutex_unlock(&lock);
    return failed;
}
static int context_resource(void *c, void *resource, int type) {
    called();
    (void)c;
    ((int *)resource)[24] = fake.green ? fake.green : fake.multiprocessors;
    return type != 1;
}
static int load_function(void *f) {
    called();
    unsafe_call();
    pthread_mutex_lock(&lock);
    long which = (const char *)f - stub;
    if (fake.lazy && !loaded[fake_device][which]) {
        if (which && host_time < all_done())
            seen.busy_loads++;
        host_time += (double)fake.load;
        loaded[fake_device][which] = 1;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}
static int address_range(unsigned long long *start, size_t *bytes, unsigned long long address) {
    called();
    seen.asked++;
    *start = fake.start;
    *bytes = fake.bytes;
    return address >= fake.start && address < fake.start + fake.bytes ? 0 : NOT_FOUND;
}
static int pointer_attribute(void *value, int attribute, unsigned long long address) {
    called();
    *(uint64_t *)value = fake.access;
    return attribute == POINTER_ACCESS && address >= fake.start && address < fake.start + fake.bytes ? 0 : 1;
}
static int pointer_attributes(unsigned count, const int *attributes, void **values, unsigned long long address) {
    called();
    *(uint32_t *)values[0] = address >= fake.start && address < fake.start + fake.bytes ? 2 : 0;
    return count == 1 && attributes[0] == POINTER_MEMORY ? 0 : 1;
}
static int version(int *v) {
    called();
    *v = fake.driver;
    return 0;
}
static int loading(int *mode) {
    called();
    *mode = fake.lazy ? 2 : 1;
    return 0;
}
static int capturing(void *stream, int *status) {
    called();
    *status = captured[stream_of(stream)];
    return 0;
}
static int stream_done(void *stream) {
    called();
    unsafe_call();
    pthread_mutex_lock(&lock);
    host_time += 300;
    int done = free_at[fake_device][stream_of(stream)] <= host_time;
    pthread_mutex_unlock(&lock);
    return done ? 0 : 600;
}
static int exchange(int *mode) {
    called();
    int old = capture_mode;
    capture_mode = *mode;
    *mode = old;
    return 0;
}
static int event_create(void **event, unsigned flags) {
    called();
    (void)flags;
    if (fake.events == 3)
        return 2;
    pthread_mutex_lock(&lock);
    seen.events++;
    struct event *e = calloc(1, sizeof *e);
    e->context_id = context_id[fake_device];
    *event = e;
    pthread_mutex_unlock(&lock);
    return 0;
}
/* Held: the lock. */
static int is_stale(const struct event *e) {
    if (e->context_id == context_id[fake_device])
        return 0;
    seen.stale_events++;
    return 1;
}
static int event_record(void *event, void *stream) {
    called();
    struct event *e = event;
    unsafe_call();
    if (fake.events == 1)
        return 400;
    pthread_mutex_lock(&lock);
    seen.records++;
    int stale = is_stale(e), at = stream_of(stream);
    host_time += 400;
    e->at = fmax(host_time, free_at[fake_device][at]);
    free_at[fake_device][at] = e->at + fake.event_cost;
    seen.device += fake.event_cost;
    e->recorded = 1;
    pthread_mutex_unlock(&lock);
    return stale ? 709 : 0;
}
static int event_done(void *event) {
    called();
    struct event *e = event;
    unsafe_call();
    pthread_mutex_lock(&lock);
    seen.queries++;
    int stale = is_stale(e);
    host_time += 200;
    int done = e->at <= host_time;
    pthread_mutex_unlock(&lock);
    return stale ? 709 : done ? 0 : 600;
}
static int elapsed(float *ms, void *start, void *stop) {
    called();
    struct event *a = start, *b = stop;
    pthread_mutex_lock(&lock);
    int stale = is_stale(a) || is_stale(b);
    double d = round((b->at - a->at - fake.event_cost) / 500) * 500;
    if (fake.events == 2)
        d = -d;
    *ms = (float)(d / 1e6);
    pthread_mutex_unlock(&lock);
    return stale ? 709 : 0;
}

static int driver_entry(const char *symbol, void **function, int *status) {
    called();
    static const struct {
        const char *name;
        void *function;
    } all[] = {
        {"cuCtxGetCurrent", (void *)get_context},
        {"cuCtxGetId", (void *)get_id},
        {"cuCtxGetDevice", (void *)get_device},
        {"cuCtxGetDevResource", (void *)context_resource},
        {"cuDeviceGetAttribute", (void *)device_attribute},
        {"cuFuncGetAttribute", (void *)function_attribute},
        {"cuFuncSetAttribute", (void *)set_function_attribute},
        {"cuFuncLoad", (void *)load_function},
        {"cuMemGetAddressRange", (void *)address_range},
        {"cuPointerGetAttribute", (void *)pointer_attribute},
        {"cuPointerGetAttributes", (void *)pointer_attributes},
        {"cuDriverGetVersion", (void *)version},
        {"cuModuleGetLoadingMode", (void *)loading},
        {"cuStreamIsCapturing", (void *)capturing},
        {"cuStreamQuery", (void *)stream_done},
        {"cuThreadExchangeStreamCaptureMode", (void *)exchange},
        {"cuEventCreate", (void *)event_create},
        {"cuEventRecord", (void *)event_record},
        {"cuEventQuery", (void *)event_done},
        {"cuEventElapsedTime", (void *)elapsed},
    };
    *function = 0;
    *status = 1;
    if (fake.events == 4)
        return 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, symbol) && !(fake.lacks & 1 && all[i].function == (void *)address_range) &&
            !(fake.lacks & 2 && all[i].function == (void *)pointer_attribute) &&
            !(fake.lacks & 4 && all[i].function == (void *)pointer_attributes)) {
            *function = all[i].function;
            *status = 0;
        }
    return 0;
}
int cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned v, unsigned long long flags, int *status);
int cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned v, unsigned long long flags, int *status) {
    (void)v, (void)flags;
    return driver_entry(symbol, function, status);
}

/* The kernel. */
static int version_at(const uint32_t *numbers, int i) { return i + 1 + (numbers[0] == OTHER_BLOCK ? OTHER : 0); }
#define QUESTIONS(i)                                                                                                                                 \
    static bool sound##i(void *const *args, const uint32_t *n) { return (void)args, fake_sound >> version_at(n, i) & 1; } \
    static bool pays##i(void *const *args, const uint32_t *n) { return (void)args, fake_pays >> version_at(n, i) & 1; }
QUESTIONS(0)
QUESTIONS(1)
QUESTIONS(2)
QUESTIONS(3)
/* What is large is asked of what the program launches. */
static bool large(void *const *args, const uint32_t *n) {
    return (void)args, !fake_small && (!fake_large_grid || n[3] >= fake_large_grid) && n[0] != FOLD_BLOCK && n[0] != OTHER_BLOCK;
}
static bool reshape(void *const *args, uint32_t *n) {
    (void)args;
    if (!fake_reshapes || n[0] != OWN_BLOCK)
        return false;
    n[0] = OTHER_BLOCK;
    n[3] = (n[3] + 1) / 2;
    return true;
}

static bool fold(void *const *args, uint32_t *n) {
    (void)args;
    if (fake_unfoldable || n[0] != OWN_BLOCK)
        return false;
    n[0] = FOLD_BLOCK;
    n[1] = 8;
    if (fake_trims)
        n[6] = 3, n[7] = FAKE_WORD, n[6 + MESI_WORDS] = FAKE_WORD;
    return true;
}

/* The same in a grid of twice as many blocks. */
static bool fold_otherwise(void *const *args, uint32_t *n) {
    n[3] *= 2;
    return fold(args, n);
}

/* What a version reads whose copies need memory, in two ranges, of which the last is a byte; and a range that is empty. */
static bool mapped(void *const *args, uint32_t *n) {
    struct mesi_ranges *all = (struct mesi_ranges *)n;
    (void)args;
    memset(all->range, 0, sizeof all->range);
    all->range[0][0] = all->range[0][1] = 1;
    all->range[2][0] = fake.low;
    all->range[2][1] = fake.high;
    all->range[MESI_RANGES - 1][0] = fake.high - 1;
    all->range[MESI_RANGES - 1][1] = fake.high;
    return !fake.untold && n[3] == 100;
}

void fake_kernel(struct mesi_kernel *k, uint32_t versions) {
    static const mesi_question sound[] = {sound0, sound1, sound2, sound3}, pays[] = {pays0, pays1, pays2, pays3};
    static const char *const names[] = {"_Z1kPfi$mesi$0", "_Z1kPfi$mesi$1", "_Z1kPfi$mesi$2", "_Z1kPfi$mesi$3"};
    *k = (struct mesi_kernel){.abi = MESI_ABI, .versions = versions, .scalars = 1, .hash = 0x1234, .stub = stub, .name = "_Z1kPfi", .threads = 1024,
                              .scalar = {{1, 0, 4}}};
    for (uint32_t i = 0; i < versions; i++)
        k->version[i] = (struct mesi_version){.stub = stub + 1 + i, .name = names[i], .sound = sound[i], .pays = pays[i], .shared = OWN_SHARED, .parts = (uint32_t)fake_parts, .chip = (uint32_t)fake_only_on, .per_thread = (uint32_t)fake_per_thread, .merged = (uint32_t)fake_merged, .threads = 1024, .relies = (uint32_t)fake_relies, .blocks = (uint32_t)fake_blocks, .fold = fake_folds >> i & 1 ? fake_rewritten >> i & 1 ? fold_otherwise : fold : 0,
                                                 .mapped = fake_maps >> i & 1 ? mapped : 0};
    k->large = large;
    if (fake_reshapes)
        k->reshape = reshape;
}
