/* Times every kernel launch of the program it is linked into, by events on the launch's own stream.
 *
 * The linker redirects the functions that host stubs call (`--wrap`), those of clang and of nvcc,
 * so it works with a static CUDA runtime and needs no library on the machine that runs. Without
 * MESIAB_LOG in the environment every call goes straight through. With it, one line per kernel is
 * appended to that file when the program exits:
 *
 *     launches timed failed captured total_ms min_ms max_ms mangled_name
 *
 * The program must not notice: an error that is pending is left pending and that launch is not
 * timed; errors of our own are cleared; a launch into a stream under capture is not timed. The
 * first launch of a kernel loads it before the clock starts.
 *
 * The declarations are our own, so that no toolkit is needed to compile this; defining
 * MESIAB_CHECK holds them against the toolkit's headers.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef MESIAB_CHECK
#include <cuda_runtime_api.h>
typedef dim3 Dim;
typedef cudaError_t Error;
typedef cudaStream_t Stream;
typedef cudaEvent_t Event;
typedef cudaKernel_t Kernel;
typedef enum cudaStreamCaptureMode CaptureMode;
typedef enum cudaStreamCaptureStatus CaptureStatus;
#else
typedef struct { unsigned x, y, z; } Dim;
typedef int Error, CaptureMode, CaptureStatus;
typedef struct stream *Stream;
typedef struct event *Event;
typedef struct kernel *Kernel;
struct cudaFuncAttributes;
typedef struct {
    Dim grid, block;
    size_t shared;
    Stream stream;
    void *attributes;
    unsigned count;
} cudaLaunchConfig_t;

Error cudaPeekAtLastError(void);
Error cudaGetLastError(void);
Error cudaGetDevice(int *);
Error cudaEventCreateWithFlags(Event *, unsigned);
Error cudaEventRecord(Event, Stream);
Error cudaEventQuery(Event);
Error cudaEventSynchronize(Event);
Error cudaEventElapsedTime(float *, Event, Event);
Error cudaFuncGetAttributes(struct cudaFuncAttributes *, const void *);
Error cudaStreamIsCapturing(Stream, CaptureStatus *);
Error cudaThreadExchangeStreamCaptureMode(CaptureMode *);
#endif

enum { RELAXED = 2, PER_THREAD = 2, FUNCTIONS = 1 << 14, PENDING = 1 << 12, DEVICES = 64 };

/* What is known of the launches of one kernel. */
struct Sums {
    char *name;
    unsigned long launches, timed, failed, captured;
    double total, least, most;
    struct Sums *next;
};

/* A host stub's address or a kernel handle, and the kernel it stands for. */
struct Function {
    const void *key;
    const void *host;
    struct Sums *sums;
    int loaded;
};

struct Launch {
    struct Sums *sums;
    Event start, stop;
    int device;
};

struct Pool {
    Event *events;
    size_t count, room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Function functions[FUNCTIONS];
static struct Sums *kernels;
static struct Launch pending[PENDING]; /* a ring: events of launches that may still run */
static size_t oldest, waiting;
static struct Pool pools[DEVICES];
static const char *log_path;

static struct Sums *sums_of(const char *name)
{
    for (struct Sums *s = kernels; s; s = s->next)
        if (!strcmp(s->name, name))
            return s;
    struct Sums *s = calloc(1, sizeof *s);
    char *copy = strdup(name);
    if (!s || !copy)
        abort();
    s->name = copy;
    s->next = kernels;
    return kernels = s;
}

/* The slot of `key`, empty if it is new; null if the table is full. */
static struct Function *slot(const void *key)
{
    size_t at = ((uintptr_t)key >> 3) * 0x9e3779b97f4a7c15u >> 32;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        struct Function *f = &functions[(at + i) % FUNCTIONS];
        if (!f->key || f->key == key)
            return f;
    }
    return 0;
}

static void name_function(const void *key, const void *host, struct Sums *sums)
{
    struct Function *f = key ? slot(key) : 0;
    if (!f)
        return;
    f->key = key;
    f->host = host;
    f->sums = sums;
}

/* Keeps an event for the next launch on its device. */
static void give_back(Event event, int device)
{
    struct Pool *p = &pools[device];
    if (!event)
        return;
    if (p->count == p->room) {
        size_t room = p->room ? 2 * p->room : 256;
        Event *more = realloc(p->events, room * sizeof *more);
        if (!more)
            return;
        p->events = more;
        p->room = room;
    }
    p->events[p->count++] = event;
}

/* Adds one finished launch. */
static void settle(struct Launch *l)
{
    float ms;
    if (!cudaEventElapsedTime(&ms, l->start, l->stop)) {
        struct Sums *s = l->sums;
        s->least = s->timed && s->least < ms ? s->least : ms;
        s->most = s->timed && s->most > ms ? s->most : ms;
        s->total += ms;
        s->timed++;
    }
    give_back(l->start, l->device);
    give_back(l->stop, l->device);
}

/* Settles launches in order: all of them, or as many as are done and one for the room it makes. */
static void drain(int all)
{
    while (waiting) {
        struct Launch *l = &pending[oldest];
        if (all || waiting == PENDING)
            cudaEventSynchronize(l->stop);
        else if (cudaEventQuery(l->stop))
            break;
        settle(l);
        oldest = (oldest + 1) % PENDING;
        waiting--;
    }
}

static int take(Event *event, int device)
{
    struct Pool *p = &pools[device];
    if (p->count) {
        *event = p->events[--p->count];
        return 1;
    }
    return !cudaEventCreateWithFlags(event, 0);
}

static void write_log(void)
{
    pthread_mutex_lock(&lock);
    int clean = !cudaPeekAtLastError();
    drain(1);
    if (clean)
        cudaGetLastError();
    int file = open(log_path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    for (struct Sums *s = kernels; s && file >= 0; s = s->next)
        if (s->launches)
            dprintf(file, "%lu %lu %lu %lu %.6f %.6f %.6f %s\n", s->launches, s->timed, s->failed,
                    s->captured, s->total, s->least, s->most, s->name);
    if (file >= 0)
        close(file);
    pthread_mutex_unlock(&lock);
}

/* Whether launches are to be timed; the first answer registers the writing of the log, after the
 * CUDA runtime has registered its own end, so that ours comes first. */
static int enabled(void)
{
    static int asked;
    if (!asked) {
        asked = 1;
        log_path = getenv("MESIAB_LOG");
        if (log_path)
            atexit(write_log);
    }
    return log_path != 0;
}

/* A launch between `begin` and `end`; the lock is held in between, so that no other thread's
 * launch gets between the two events. */
struct Timing {
    struct Launch launch;
    Stream stream;
    CaptureMode mode;
    int on, clean, timed;
};

static void load(struct Function *f)
{
    /* Larger than any version's structure. */
    static _Alignas(16) char attributes[4096];
    if (f && !f->loaded) {
        f->loaded = 1;
        cudaFuncGetAttributes((struct cudaFuncAttributes *)attributes, f->host);
    }
}

static struct Timing begin(const void *function, Stream stream, int per_thread)
{
    struct Timing t;
    memset(&t, 0, sizeof t);
    pthread_mutex_lock(&lock);
    t.on = enabled();
    if (!t.on)
        return t;
    struct Function *f = function ? slot(function) : 0;
    if (f && !f->key)
        f = 0;
    t.launch.sums = f ? f->sums : sums_of("(unnamed kernel)");
    t.launch.sums->launches++;
    t.stream = per_thread && !stream ? (Stream)(uintptr_t)PER_THREAD : stream;
    t.clean = !cudaPeekAtLastError();
    if (!t.clean)
        return t;
    t.mode = RELAXED;
    cudaThreadExchangeStreamCaptureMode(&t.mode);
    CaptureStatus capturing = 0;
    if (cudaStreamIsCapturing(t.stream, &capturing) || capturing) {
        t.launch.sums->captured += capturing != 0;
    } else if (!cudaGetDevice(&t.launch.device) && t.launch.device < DEVICES) {
        load(f);
        drain(0);
        if (take(&t.launch.start, t.launch.device) && take(&t.launch.stop, t.launch.device))
            t.timed = !cudaEventRecord(t.launch.start, t.stream);
    }
    cudaThreadExchangeStreamCaptureMode(&t.mode);
    cudaGetLastError();
    return t;
}

static Error end(struct Timing *t, Error error)
{
    if (t->on && error)
        t->launch.sums->failed++;
    CaptureMode mode = RELAXED;
    if (t->timed && !error) {
        cudaThreadExchangeStreamCaptureMode(&mode);
        t->timed = !cudaEventRecord(t->launch.stop, t->stream);
        cudaThreadExchangeStreamCaptureMode(&mode);
        if (!t->timed)
            cudaGetLastError();
    }
    if (t->timed && !error) {
        pending[(oldest + waiting) % PENDING] = t->launch;
        waiting++;
    } else {
        give_back(t->launch.start, t->launch.device);
        give_back(t->launch.stop, t->launch.device);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

/* `__real_` names are the runtime's own functions; those that some versions lack are weak. */
#define WEAK __attribute__((weak))

#define LAUNCH(NAME, FUNCTION, PER_THREAD_STREAM, ATTRIBUTE)                                      \
    ATTRIBUTE Error __real_##NAME(FUNCTION, Dim, Dim, void **, size_t, Stream);                   \
    Error __wrap_##NAME(FUNCTION function, Dim grid, Dim block, void **arguments, size_t shared,  \
                        Stream stream)                                                            \
    {                                                                                             \
        struct Timing t = begin((const void *)function, stream, PER_THREAD_STREAM);               \
        return end(&t, __real_##NAME(function, grid, block, arguments, shared, stream));          \
    }

typedef const void *Symbol;
LAUNCH(cudaLaunchKernel, Symbol, 0, )
LAUNCH(cudaLaunchKernel_ptsz, Symbol, 1, )
LAUNCH(cudaLaunchCooperativeKernel, Symbol, 0, )
LAUNCH(cudaLaunchCooperativeKernel_ptsz, Symbol, 1, )
LAUNCH(__cudaLaunchKernel, Kernel, 0, WEAK)
LAUNCH(__cudaLaunchKernel_ptsz, Kernel, 1, WEAK)

#define LAUNCH_EX(NAME, PER_THREAD_STREAM)                                                        \
    WEAK Error __real_##NAME(const cudaLaunchConfig_t *, Symbol, void **);                        \
    Error __wrap_##NAME(const cudaLaunchConfig_t *config, Symbol function, void **arguments)      \
    {                                                                                             \
        struct Timing t = begin(function, config ? config->stream : 0, PER_THREAD_STREAM);        \
        return end(&t, __real_##NAME(config, function, arguments));                               \
    }

LAUNCH_EX(cudaLaunchKernelExC, 0)
LAUNCH_EX(cudaLaunchKernelExC_ptsz, 1)

void __real___cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *,
                                   void *, void *, int *);
/* Every kernel of the program comes by here before `main`, by clang's and by nvcc's code. */
void __wrap___cudaRegisterFunction(void **module, const char *host, char *device, const char *name,
                                   int limit, void *tid, void *bid, void *block, void *grid,
                                   int *warp)
{
    pthread_mutex_lock(&lock);
    name_function(host, host, sums_of(name));
    pthread_mutex_unlock(&lock);
    __real___cudaRegisterFunction(module, host, device, name, limit, tid, bid, block, grid, warp);
}

/* nvcc 13 launches by a handle: the handle is another name of the same kernel. */
#define GET_KERNEL(NAME)                                                                          \
    WEAK Error __real_##NAME(Kernel *, Symbol);                                                   \
    Error __wrap_##NAME(Kernel *kernel, Symbol host)                                              \
    {                                                                                             \
        Error error = __real_##NAME(kernel, host);                                                \
        pthread_mutex_lock(&lock);                                                                \
        struct Function *f = slot(host);                                                          \
        if (!error && f && f->key)                                                                \
            name_function(*kernel, host, f->sums);                                                \
        pthread_mutex_unlock(&lock);                                                              \
        return error;                                                                             \
    }

GET_KERNEL(__cudaGetKernel)
GET_KERNEL(cudaGetKernel)

Error __real_cudaDeviceReset(void);
/* A reset destroys the device's events, so what they say is taken before. */
Error __wrap_cudaDeviceReset(void)
{
    pthread_mutex_lock(&lock);
    int device;
    int clean = !cudaPeekAtLastError();
    drain(1);
    if (!cudaGetDevice(&device) && device < DEVICES)
        pools[device].count = 0;
    if (clean)
        cudaGetLastError();
    pthread_mutex_unlock(&lock);
    return __real_cudaDeviceReset();
}

#ifdef MESIAB_CHECK
#define SAME(A, B) _Static_assert(__builtin_types_compatible_p(__typeof__(A), __typeof__(B)), #A)
SAME(cudaLaunchKernel, __real_cudaLaunchKernel);
SAME(cudaLaunchCooperativeKernel, __real_cudaLaunchCooperativeKernel);
SAME(cudaLaunchKernelExC, __real_cudaLaunchKernelExC);
SAME(cudaGetKernel, __real_cudaGetKernel);
SAME(cudaDeviceReset, __real_cudaDeviceReset);
SAME(cudaEventElapsedTime, Error(float *, Event, Event));
_Static_assert(cudaStreamCaptureModeRelaxed == RELAXED, "relaxed capture mode");
_Static_assert((uintptr_t)cudaStreamPerThread == PER_THREAD, "the per-thread stream");
_Static_assert(sizeof(struct cudaFuncAttributes) <= 4096, "room for a kernel's attributes");
_Static_assert(sizeof(Dim) == 12 && sizeof(Error) == 4, "passed as declared");
#endif
