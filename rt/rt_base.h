/* What the other parts rest on: the few libc functions, the few CUDA functions, logarithms, and all types.
 *
 * Nothing is included but freestanding headers, so the file compiles for any target without its headers. All memory that
 * two threads may touch is either read and written by the `get`/`put` macros (atomically), or belongs to whoever holds
 * the try-flag `busy` of the structure that it lies in. Nobody ever waits for a flag.
 */
#ifndef MESI_RT_BASE_H
#define MESI_RT_BASE_H

#include "mesi_rt.h"

#include <stdarg.h>

/* Tests compile this file once more for each rule, with the rule left out, and must notice. */
#ifndef MESI_MUTATE
#define MESI_MUTATE 0
#endif
#define MUTATED(rule) (MESI_MUTATE == (rule))

/* Off the way of a settled launch, and not to be inlined into what is on it. */
#define SLOW __attribute__((noinline, cold))
/* On it, and on that of a launch that is only counted. The plug-in optimises these for speed in each host module, and has LLVM leave all else as it is:
 * optimising that took a third of a small file's compile. */
#define FAST __attribute__((hot))

/* ---- libc ---- */

char *getenv(const char *name);
int open(const char *path, int flags, ...);
long read(int file, void *to, size_t bytes);
long write(int file, const void *from, size_t bytes);
long lseek(int file, long offset, int from);
int close(int file);
int rename(const char *from, const char *to);
int unlink(const char *path);
int mkdir(const char *path, unsigned mode);
int getpid(void);
int atexit(void (*function)(void));
int snprintf(char *to, size_t bytes, const char *format, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *to, size_t bytes, const char *format, va_list rest);
void *mmap(void *at, size_t bytes, int protection, int flags, int file, long offset);
int munmap(void *at, size_t bytes);
int *__errno_location(void);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t bytes);
char *strstr(const char *text, const char *part);
void *memcpy(void *to, const void *from, size_t bytes);
int memcmp(const void *left, const void *right, size_t bytes);

/* Numbers of Linux on x86-64 and AArch64. */
enum { READ_ONLY = 0, WRITE_ONLY = 1, READ_WRITE = 2, CREATE = 0100, NEW = 0200, EMPTIED = 01000, NOT_INHERITED = 02000000 };
enum { MAP_READ_WRITE = 3, MAP_OWN_ZEROES = 0x22 };

struct rt_time {
    long seconds, nanoseconds;
};
int clock_gettime(int clock, struct rt_time *time);

#ifdef MESI_TEST_CLOCK
uint64_t mesi_test_clock(void);
uint64_t mesi_test_ran(void);
#endif

#ifndef MESI_TEST_CLOCK
/* Clocks of Linux: one that never goes back, what all threads of the process have worked, and since the machine began. */
enum { STEADY_CLOCK = 1, WORK_CLOCK = 2, UP_CLOCK = 7 };

static uint64_t read_clock(int clock) {
    struct rt_time time = {0, 0};
    clock_gettime(clock, &time);
    return (uint64_t)time.seconds * 1000000000u + (uint64_t)time.nanoseconds;
}
#endif

/* Nanoseconds of a clock that never goes back. */
static uint64_t now(void) {
#ifdef MESI_TEST_CLOCK
    return mesi_test_clock();
#else
    return read_clock(STEADY_CLOCK);
#endif
}

#ifndef MESI_TEST_CLOCK
/* When the process began, in nanoseconds since the machine did, to a hundredth of a second; 0: unknown. */
static SLOW uint64_t beginning(void) {
    char text[512];
    int file = open("/proc/self/stat", READ_ONLY | NOT_INHERITED);
    long got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    /* Behind the name, which may hold anything, the twentieth number, in hundredths of a second. */
    long at = got;
    while (at > 0 && text[at - 1] != ')')
        at--;
    for (int spaces = 0; at < got && spaces < 20; at++)
        spaces += text[at] == ' ';
    uint64_t ticks = 0;
    for (; at < got && text[at] >= '0' && text[at] <= '9'; at++)
        ticks = ticks * 10 + (uint64_t)(text[at] - '0');
    return ticks * 10000000;
}
#endif

/* Nanoseconds that the process has run, or that all its threads have worked, whichever is more. `began`: kept from call to call. */
static SLOW uint64_t ran(uint64_t *began) {
#ifdef MESI_TEST_CLOCK
    (void)began;
    return mesi_test_ran();
#else
    if (!__atomic_load_n(began, __ATOMIC_RELAXED))
        __atomic_store_n(began, beginning(), __ATOMIC_RELAXED);
    uint64_t up = read_clock(UP_CLOCK), worked = read_clock(WORK_CLOCK), start = __atomic_load_n(began, __ATOMIC_RELAXED);
    uint64_t since = start && up > start ? up - start : 0;
    return worked > since ? worked : since;
#endif
}

/* ---- CUDA ---- */

#define WEAK __attribute__((weak))

/* What launches is there in every program that launches. The rest is weak: a runtime that lacks it links all the same. */
extern int cudaLaunchKernel(const void *stub, struct mesi_dim3 grid, struct mesi_dim3 block, void **args, size_t shared,
                            void *stream);
WEAK extern int cudaLaunchKernel_ptsz(const void *stub, struct mesi_dim3 grid, struct mesi_dim3 block, void **args,
                                      size_t shared, void *stream);
WEAK extern int cudaLaunchKernelExC(const void *config, const void *stub, void **args);
WEAK extern int cudaLaunchKernelExC_ptsz(const void *config, const void *stub, void **args);
WEAK extern int cudaStreamIsCapturing(void *stream, int *status);
WEAK extern int cudaStreamIsCapturing_ptsz(void *stream, int *status);
WEAK extern int cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                                 unsigned long long flags, int *status);
WEAK extern int cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, int *status);
WEAK extern int cudaGetFuncBySymbol(void **function, const void *stub);
WEAK extern int cudaPeekAtLastError(void);
WEAK extern int cudaGetLastError(void);

/* cudaLaunchConfig_t. */
struct launch_config {
    struct mesi_dim3 grid, block;
    size_t shared;
    void *stream;
    const void *attributes;
    unsigned count;
};

enum { LEGACY_STREAM = 1, THREAD_STREAM = 2 };
enum { INVALID_VALUE = 1, INSUFFICIENT_DRIVER = 35, NO_DEVICE = 100, NOT_READY = 600, NOT_LOADED = 913 };
/* Threads of a block that a multiprocessor has registers for, whatever each takes. */
#define ANY_REGISTERS 256
enum { CAPTURE_RELAXED = 2 };
enum { EAGER_LOADING = 1 };
enum {
    FUNCTION_MAX_THREADS = 0,
    FUNCTION_MAX_DYNAMIC = 8,
    FUNCTION_MUST_CLUSTER = 10,
    FUNCTION_CLUSTER_WIDTH = 11,
};
/* What kind of memory an address is in, 0 of none; what the context's device may do with it, and the bit that is set if it may read it. */
enum { POINTER_MEMORY = 2, POINTER_ACCESS = 16, MAY_READ = 1 };
/* Most shared memory of a block that a kernel may be allowed, bytes. */
enum { DEVICE_MOST_SHARED = 97 };
/* The parts of its compute capability; and devices whose is kept. */
enum { DEVICE_MAJOR = 75, DEVICE_MINOR = 76 };
#define DEVICES 16

/* The driver's functions: unlike the runtime's they leave the runtime's last error alone. Null: the driver lacks it. */
struct driver {
    int (*context)(void **context);
    int (*context_id)(void *context, unsigned long long *id);
    int (*device)(int *device);
    int (*context_resource)(void *context, void *resource, int type);
    int (*device_attribute)(int *value, int attribute, int device);
    int (*function_attribute)(int *value, int attribute, void *function);
    int (*set_function_attribute)(void *function, int attribute, int value);
    int (*load)(void *function);
    int (*address_range)(unsigned long long *start, size_t *bytes, unsigned long long address);
    int (*pointer_attribute)(void *value, int attribute, unsigned long long address);
    int (*pointer_attributes)(unsigned count, const int *attributes, void **values, unsigned long long address);
    int (*version)(int *version);
    int (*loading)(int *mode);
    int (*capturing)(void *stream, int *status);
    int (*stream_done)(void *stream);
    int (*exchange)(int *mode);
    int (*event_create)(void **event, unsigned flags);
    int (*event_record)(void *event, void *stream);
    int (*event_done)(void *event);
    int (*elapsed)(float *milliseconds, void *start, void *stop);
};

/* ---- Memory that threads share ---- */

#define get(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define put(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)
#define get_acquire(place) __atomic_load_n(&(place), __ATOMIC_ACQUIRE)
#define put_release(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELEASE)
#define add(place, value) __atomic_fetch_add(&(place), (value), __ATOMIC_RELAXED)

/* Takes a flag if it is free. */
static bool take(uint32_t *flag) {
    return get(*flag) == 0 && __atomic_exchange_n(flag, 1, __ATOMIC_ACQUIRE) == 0;
}

static void let_go(uint32_t *flag) { put_release(*flag, 0); }

/* ---- Numbers ---- */

/* The natural logarithm of a positive, normal number; libm is not ours to need. Off by less than 1e-12. */
static double log_of(double x) {
    union {
        double number;
        uint64_t bits;
    } u = {x};
    int exponent = (int)(u.bits >> 52) - 1023;
    u.bits = (u.bits & 0xfffffffffffffu) | (1023ull << 52);
    if (u.number > 1.4142135623730951) {
        u.number /= 2;
        exponent++;
    }
    /* ln m = 2 artanh y with y = (m - 1)/(m + 1), |y| < 0.172 */
    double y = (u.number - 1) / (u.number + 1), square = y * y, sum = 0;
    for (int i = 17; i >= 1; i -= 2)
        sum = sum * square + 1.0 / i;
    return exponent * 0.6931471805599453 + 2 * y * sum;
}

/* e to the x, for |x| < 30. */
static double exp_of(double x) {
    double y = x / 1024, sum = 1;
    for (int i = 12; i >= 1; i--)
        sum = 1 + sum * y / i;
    for (int i = 0; i < 10; i++)
        sum *= sum;
    return sum;
}

static double root_of(double x) {
    if (!(x > 0))
        return 0;
    double r = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++)
        r = (r + x / r) / 2;
    return r;
}

/* How many bits a number has: 0 for 0, one more than its binary logarithm for others. */
static uint32_t bits_of(uint64_t x) { return x ? 64 - (uint32_t)__builtin_clzll(x) : 0; }

static uint64_t mix(uint64_t hash, uint64_t x) {
    hash = (hash ^ x) * 0x9fb21c651e98df25u;
    return hash ^ (hash >> 29);
}

/* ---- Types ---- */

/* Candidates of a kernel of V versions: 0 is K and i, up to V, version i - 1, in the program's blocks; V + 1 is K and
 * V + 1 + i version i - 1, in other blocks. */
#define CANDIDATES (2 * (MESI_VERSIONS + 1))
#define CLASSES 32
/* Rounds of a loop by the grid's size from which on one more is no matter. */
#define ROUNDS_OF_LOOPS 4
/* Kinds of launches, by their shape, that are counted before they are classes. */
#define KINDS 32
/* Pairs of a duel at most. */
#define PAIRS 64
/* Trials of a class that are queued or run at a time. */
#define FLIGHTS 8
/* Times of what runs before anything else is tried. */
#define BASELINES 3
#define NOBODY 0xff

/* One or two timed launches, on one stream, one after the other, or each behind one more of its candidate. */
struct flight {
    /* Events around the first launch, and around the second. */
    void *event[4];
    void *stream;
    /* Which candidates ran. */
    uint8_t who[2];
    /* How many times are asked for; how many launches go before the one that is timed; how many launches were queued. */
    uint8_t asked, ahead[2], queued;
    /* Whether the GPU stood waiting for the launch. */
    bool idle[2];
    bool broken;
    /* Host time between the start event and the end of the launch call, nanoseconds. */
    uint64_t host[2];
    /* The lane's count of changes of stream when it began. */
    uint32_t changes;
    /* The duel it belongs to. */
    uint32_t duel;
    /* When to look again, in launches of the class, and how many launches to wait then. */
    uint64_t poll, wait;
};

/* Why a class has its choice. */
enum why { WHY_NEW, WHY_PRIOR, WHY_LEARNING, WHY_MEASURED, WHY_CACHED, WHY_PINNED, WHY_SHORT, WHY_UNMEASURED, WHY_FIXED };

/* What a version's own time says of one that the model is sure of: nothing; that it gains; that it is so short that K may wait; that K is to run next. */
enum own_time { TIME_UNKNOWN, TIME_ENOUGH, TIME_LITTLE, TIME_DOUBTED };

/* What is done for a class before FIRST_TIMED, of which the model is sure of nothing, but K takes long: K is timed, and then, if it does, up to MOST_TRIED candidates. */
enum trial { TRIAL_NONE, TRIAL_OF_K, TRIAL_OF_VERSION, TRIAL_DONE };

/* Launches that are taken to be alike in what is fast. */
struct class {
    /* Of all but the admissible candidates; 0: free. Written last. */
    uint64_t key;
    /* Of the same, without the context, so that another process has the same one. */
    uint64_t shape;
    void *context;
    /* Bit c: candidate c is admissible. */
    uint32_t mask;
    /* Whether all candidates that there are, are. */
    bool full;
    /* What K itself accepts in a block, threads. */
    uint32_t threads;
    /* An example, for the report. */
    mesi_numbers numbers;
    uint32_t shared;

    /* From here on atomic. */
    uint32_t choice, settled, busy, why;
    uint64_t launches;
    /* When something is to be done for the class beside launching its choice, in launches: a settled one to be looked at again, of another one
     * the next trial, or one to be read. */
    uint64_t look;

    /* From here on of who holds `busy`. */
    /* Versions that ran here: bit c. */
    uint32_t warm;
    /* Candidates whose code was loaded, but not launched: bit c. */
    uint32_t loaded;
    /* Candidates that were compared, or dropped: bit c. */
    uint32_t tested;
    /* Those whose duel was put off, undecided, until the others were compared: bit c. */
    uint32_t undecided;
    /* Those that the model is sure of, when the class was new: bit c. */
    uint32_t promising;
    /* Those that spread the work over many times the threads, which fill any chip as they are, when the class was new: bit c. */
    uint32_t overdone;
    /* A version that the model is sure of, waiting until it may be loaded; or NOBODY. */
    uint8_t waiting;
    /* The duel: what stands, and what may take its place (or NOBODY). */
    uint8_t base, challenger;
    /* What the last flight launched last, and at which of the class's launches. */
    uint8_t flown;
    uint64_t flown_at;
    /* Whether the challenger runs while the duel goes on, since the model is sure of it or an older driver's cache had it. */
    bool trusted;
    /* Whether its first pair is still to come. */
    bool first;
    /* Whether launches are not compared yet: the model's choice runs from the first of its kind on, which is not large, or there is a `trial`. */
    bool ahead;
    enum trial trial;
    /* Candidates that were tried so in vain. */
    uint8_t tried;
    /* What the first time of what the model is sure of says, which is asked for once; and what the model expects K to take, nanoseconds. */
    enum own_time own_time;
    bool timed_alone;
    double expected;
    /* One pair, to see whether a settled choice still holds; how many such pairs the choice lost in a row. */
    bool drift;
    uint8_t lost;
    /* The best of those that lost, for the next such pair; or NOBODY. */
    uint8_t runner;
    double runner_gain;
    bool unmeasurable;
    /* Whether an earlier process left what it knew. */
    bool continued;
    /* Whether a launch of it came that might be timed. */
    bool begun;
    /* Whether K was timed where a version ran that the model is sure of. */
    bool has_run_k;
    /* Of a run that is there to learn: whether so few launches came that what is timed is the first alone, and its pair takes two runs. */
    bool few;
    /* Whose time the first half of such a pair is, or NOBODY; nanoseconds. */
    uint8_t half;
    double half_time;
    /* Nanoseconds of the challenger's first sample, which does not count; 0: unknown. */
    double first_time;
    /* `refused`: how often its code was not loaded since the stream was not empty. */
    uint32_t duel, dropped, refused, pairs;
    /* When to try again, in launches. */
    uint64_t retry;
    float ratio[PAIRS];
    /* Nanoseconds of a launch of each candidate; 0: unknown. */
    double time[CANDIDATES];
    /* Samples of each, as far as they count. */
    uint8_t samples[CANDIDATES];
    /* Nanoseconds booked for its first sample, which said nothing. */
    double supposed;
    /* Launches that the kernel's time already holds. */
    uint64_t counted;
    /* The present choice's gain over what it was compared with, and its bounds: logarithms. */
    double gain, low, high;
    uint32_t decided_pairs;
    double cost;
    /* What the device is; 0: not known. */
    uint64_t chip;
    /* The context that the events are of. */
    uint64_t context_id;
    struct flight flight[FLIGHTS];
    uint32_t oldest, flights;
};

/* Where a kernel without classes has them. */
static struct class no_class;

/* A launch of a kind, for the report. */
struct example {
    mesi_numbers numbers;
    uint32_t shared;
};

/* What is known of a kernel. Made at its first launch, never freed, and small: the first touch of a page takes a microsecond and more. */
struct state {
    struct mesi_kernel *kernel;
    struct state *next;
    uint32_t busy;
    /* Candidates whose launch failed: bit c. */
    uint32_t broken;
    /* Candidates that lost to K by far in some class, whatever the model says of others: bit c. */
    uint32_t disproved;
    /* Candidates that were adopted in some class: bit c. */
    uint32_t proved;
    /* Candidate that the environment fixes, or NOBODY. */
    uint32_t pinned;
    /* Whether a run that was there to learn settled launches of the kernel: 0 until that was looked at, 1 no, 2 yes. Atomic. */
    uint32_t tuned;
    /* The same of whether an earlier run left anything of the kernel in the cache. */
    uint32_t known;
    /* Whether this process has left anything of it there. */
    uint32_t kept;
    /* Launches of classes that there was no room for. */
    uint64_t beyond;
    /* Nanoseconds: what all launches took, what trials cost beyond the choice, what timing cost. */
    int64_t spent, excess, timing;
    /* So many, in the order in which they came, the free ones behind them; `no_class` before the first. */
    struct class *classes;
    /* Launches of each kind, while they are few: the upper bits of its shape, and below them how many there were. 0: free. */
    uint64_t kind[KINDS];
    /* When the last launch of a kind that was counted returned, nanoseconds. */
    uint64_t returned[KINDS];
    /* Written only where there will be a report. */
    struct example example[KINDS];
};

/* A launch on its way. */
struct launch {
    struct mesi_kernel *kernel;
    /* cudaLaunchConfig_t, if that is how the program launched. */
    const void *config;
    struct state *state;
    void **args;
    size_t shared;
    /* As the program gave it, and as the driver takes it. */
    void *stream, *driver_stream;
    /* What no other stream has at the same time: one for each thread's default stream. */
    void *own_stream;
    void *context;
    mesi_numbers numbers;
    mesi_numbers other;
    bool has_other;
    /* Which launch of its kind it is, from 1 on; 0: it was not counted. And where the kind stands. */
    uint32_t turn, kind;
    /* Whether the model's choice may run though the launch is not large. */
    bool ahead;
    /* Whether the launch of its kind before may have taken long. */
    bool long_before;
};

enum mode { MODE_LEARN, MODE_OFF, MODE_PRIOR, MODE_CACHE };

/* The last stream that a device's launches went to, and how often it changed. */
struct lane {
    void *stream;
    uint32_t changes;
};
#define LANES 16

#define PATH_BYTES 512

/* What the process has. All that a first launch touches lies together. */
struct process {
    /* What decides whether anything is chosen. 0: nobody was here; 1: somebody is reading it; 2: all is read. */
    uint32_t ready;
    /* The same for the driver's functions and where the cache lies, which the first launch that learns or is large asks for. */
    uint32_t known;
    enum mode mode;
    int pid;
    uint32_t pin;
    bool graphs, is_pinned, reports;
    /* The run is there to learn: trials may take half of it, and launches wait for what they say. */
    bool tunes;
    struct state *states;

    /* From here on written before `known` is 2. */
    /* The driver can time launches. */
    bool can_measure;
    /* The runtime finds no driver, or none that is new enough: nothing will run, and the program's own launch says why. */
    bool has_no_driver;
    bool eager, writes;
    int driver_version;
    struct driver driver;
    struct lane lane[LANES];
    uint32_t temporary;
    /* Of devices, by their number: that plus one, and its compute capability in the lower half. Atomic. */
    uint32_t chip[DEVICES];
    /* Nanoseconds for which launches waited for the GPU to come up with the host, and how long the process is to run, in nanoseconds,
     * until one may wait again: one did so in vain. Atomic. */
    int64_t waited;
    uint64_t hurries;
    /* When the process began, once that was asked for. Atomic. */
    uint64_t began;
    /* Without a slash at the end; empty: no cache. */
    char cache[PATH_BYTES];

    /* Of `is_pinned`: the kernel. */
    char pinned[256];
    /* Of `reports`: "1", a table; or a file. */
    char report[PATH_BYTES];
};

static struct process process;

/* Whether a run that was there to learn settled launches of any kernel: 0 until that was looked at, 1 no, 2 yes. Atomic. All files of a program have
 * this one, whose name no C has: where system calls are slow, the answer takes as long as a small launch. */
extern uint32_t any_tuned __asm__("mesi_rt.any_tuned");
__attribute__((weak, visibility("hidden"))) uint32_t any_tuned;
/* The same of whether any run left anything in the cache. */
extern uint32_t any_known __asm__("mesi_rt.any_known");
__attribute__((weak, visibility("hidden"))) uint32_t any_known;

#endif
