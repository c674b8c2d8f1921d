/* What is asked once.
 *
 * The first launch of a process reads what decides whether anything is chosen: three variables. The driver's functions and where the cache lies are found
 * out by the first launch that is large or the twelfth of its kind: each host module has a run-time part of its own, and 40 us in its first launch were a
 * tenth of ten launches of 30 us.
 */
#ifndef MESI_RT_ENV_H
#define MESI_RT_ENV_H

#include "rt_base.h"

/* One line to stderr. */
static void complain(const char *name, const char *value, const char *expected) {
    char line[400];
    int n = snprintf(line, sizeof line, "mesi: %s=%.100s is not understood, expected %s; going on with the default\n", name,
                     value, expected);
    if (n > 0)
        (void)!write(2, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

/* Reads pin:KERNEL=N; a kernel `*` is any. */
static bool read_pin(const char *text) {
    const char *equals = 0;
    for (const char *p = text; *p; p++)
        if (*p == '=')
            equals = p;
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof process.pinned || !equals[1])
        return false;
    uint32_t n = 0;
    for (const char *p = equals + 1; *p; p++) {
        if (*p < '0' || *p > '9' || n >= CANDIDATES)
            return false;
        n = n * 10 + (uint32_t)(*p - '0');
    }
    if (n >= CANDIDATES)
        return false;
    memcpy(process.pinned, text, (size_t)(equals - text));
    process.pinned[equals - text] = 0;
    process.pin = n;
    process.is_pinned = true;
    return true;
}

/* The part of a mangled name that begins at `p`, behind its length: one of its namespaces, or its own; null where there is none. */
static const char *part_of_name(const char *p, size_t *length) {
    size_t n = 0;
    p += *p == 'L';
    while (*p >= '0' && *p <= '9' && n < sizeof process.pinned)
        n = n * 10 + (size_t)(*p++ - '0');
    *length = n;
    return n && n <= strlen(p) ? p : 0;
}

/* Whether a kernel is named as its source has it: `work`, `deep::work`, or `void deep::work<float>(float*)`, of which what stands behind the name
 * is not looked at, so a template's name means all that is made of it. Kernels are no members of classes: a mangled name holds its namespaces and itself. */
static SLOW bool is_called(const char *mangled, const char *text) {
    if (mangled[0] != '_' || mangled[1] != 'Z')
        return false;
    text += strncmp(text, "void ", 5) ? 0 : 5;
    size_t all = 0, length, at = 0;
    while (text[all] && text[all] != '<' && text[all] != '(')
        all++;
    bool is_qualified = true, is_last = false;
    const char *p = mangled + 2, *part;
    for (p += *p == 'N'; (part = part_of_name(p, &length)); p = part + length) {
        is_last = length == all && !memcmp(part, text, all);
        if (at && is_qualified) {
            is_qualified = at + 2 <= all && !memcmp(text + at, "::", 2);
            at += 2;
        }
        is_qualified = is_qualified && at + length <= all && !memcmp(text + at, part, length);
        at += length;
    }
    return is_last || (is_qualified && at && at == all);
}

/* Whether a kernel is the one, or one of those, that MESI_CHOICE pins. */
static bool is_pinned(const char *kernel) {
    const char *name = process.pinned;
    return process.is_pinned && (!strcmp(name, "*") || !strcmp(kernel, name) || is_called(kernel, name));
}

static void read_mode(void) {
    const char *text = getenv("MESI_CHOICE");
    if (!text || !*text || !strcmp(text, "learn"))
        process.mode = MODE_LEARN;
    else if (!strcmp(text, "tune"))
        process.tunes = true;
    else if (!strcmp(text, "off"))
        process.mode = MODE_OFF;
    else if (!strcmp(text, "prior"))
        process.mode = MODE_PRIOR;
    else if (!strcmp(text, "cache"))
        process.mode = MODE_CACHE;
    else if (strncmp(text, "pin:", 4) || !read_pin(text + 4))
        complain("MESI_CHOICE", text, "off, prior, cache, learn, tune or pin:KERNEL=N");
}

/* Where the cache lies; empty: nowhere. A path that is too long is no path. */
static void find_cache(char *path) {
    const char *own = getenv("MESI_CACHE_DIR"), *shared = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = 0;
    if (own && *own)
        n = snprintf(path, PATH_BYTES, "%s", own);
    else if (shared && *shared == '/')
        n = snprintf(path, PATH_BYTES, "%s/mesi/1", shared);
    else if (home && *home)
        n = snprintf(path, PATH_BYTES, "%s/.cache/mesi/1", home);
    if (n < 0 || n >= PATH_BYTES - 64)
        path[0] = 0;
}

static void read_cache(void) {
    find_cache(process.cache);
    /* Of the ranks of a parallel program on one machine the first writes. */
    static const char *const ranks[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
                                        "PALS_LOCAL_RANKID", "SLURM_LOCALID"};
    process.writes = process.mode == MODE_LEARN;
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        const char *rank = getenv(ranks[i]);
        if (rank && *rank && strcmp(rank, "0"))
            process.writes = false;
    }
}

static void read_report(void) {
    const char *text = getenv("MESI_REPORT");
    if (!text || !*text || !strcmp(text, "0"))
        return;
    size_t n = strlen(text);
    bool is_file = n > 5 && !strcmp(text + n - 5, ".json");
    if (n < PATH_BYTES && (is_file || !strcmp(text, "1")))
        process.reports = memcpy(process.report, text, n + 1);
    else
        complain("MESI_REPORT", text, "1 or a file's name that ends in .json");
}

static void read_graphs(void) {
    const char *text = getenv("MESI_GRAPHS");
    if (!text || !*text || !strcmp(text, "0"))
        return;
    if (!strcmp(text, "1"))
        process.graphs = true;
    else
        complain("MESI_GRAPHS", text, "0 or 1");
}

/* A function of the driver as of a version of CUDA, the form in which streams 0 and 1 are the stream of all. A driver older than the
 * version would be an error, and the runtime's last error stays. */
static void *driver_function(const char *name, unsigned version) {
    void *function = 0;
    int status = 0, failed = 1;
    enum { LEGACY = 1 };
    if (cudaGetDriverEntryPointByVersion)
        failed = cudaGetDriverEntryPointByVersion(name, &function, version, LEGACY, &status);
    else if (cudaGetDriverEntryPoint)
        failed = cudaGetDriverEntryPoint(name, &function, LEGACY, &status);
    if (failed == INSUFFICIENT_DRIVER || failed == NO_DEVICE)
        process.has_no_driver = true;
    return failed || status ? 0 : function;
}

static void find_driver(void) {
    struct driver *d = &process.driver;
    /* The last error, if the runtime cannot even start, is that of the launch that follows. */
    d->context = (int (*)(void **))driver_function("cuCtxGetCurrent", 12000);
    if (!d->context)
        return;
    d->context_id = (int (*)(void *, unsigned long long *))driver_function("cuCtxGetId", 12000);
    d->device = (int (*)(int *))driver_function("cuCtxGetDevice", 12000);
    d->device_attribute = (int (*)(int *, int, int))driver_function("cuDeviceGetAttribute", 12000);
    d->function_attribute = (int (*)(int *, int, void *))driver_function("cuFuncGetAttribute", 12000);
    d->set_function_attribute = (int (*)(void *, int, int))driver_function("cuFuncSetAttribute", 12000);
    d->load = (int (*)(void *))driver_function("cuFuncLoad", 12040);
    d->address_range = (int (*)(unsigned long long *, size_t *, unsigned long long))driver_function("cuMemGetAddressRange", 12000);
    d->pointer_attribute = (int (*)(void *, int, unsigned long long))driver_function("cuPointerGetAttribute", 12000);
    d->pointer_attributes = (int (*)(unsigned, const int *, void **, unsigned long long))driver_function("cuPointerGetAttributes", 12000);
    d->version = (int (*)(int *))driver_function("cuDriverGetVersion", 12000);
    d->loading = (int (*)(int *))driver_function("cuModuleGetLoadingMode", 12000);
    d->capturing = (int (*)(void *, int *))driver_function("cuStreamIsCapturing", 12000);
    d->stream_done = (int (*)(void *))driver_function("cuStreamQuery", 12000);
    d->exchange = (int (*)(int *))driver_function("cuThreadExchangeStreamCaptureMode", 12000);
    d->event_create = (int (*)(void **, unsigned))driver_function("cuEventCreate", 12000);
    d->event_record = (int (*)(void *, void *))driver_function("cuEventRecord", 12000);
    d->event_done = (int (*)(void *))driver_function("cuEventQuery", 12000);
    d->elapsed = (int (*)(float *, void *, void *))driver_function("cuEventElapsedTime", 12000);
    int mode = 0;
    process.eager = d->loading && d->loading(&mode) == 0 && mode == EAGER_LOADING;
    if (!d->version || d->version(&process.driver_version))
        process.driver_version = 0;
    if (process.driver_version >= 12040)
        d->context_resource = (int (*)(void *, void *, int))driver_function("cuCtxGetDevResource", 12040);
    process.can_measure = process.mode == MODE_LEARN && d->context_id && d->capturing && d->stream_done && d->exchange &&
                          d->event_create && d->event_record && d->event_done && d->elapsed;
}

static SLOW void report(void);
static SLOW void keep_open(void);

/* Whether the caller is the one who is to find something out. */
static bool is_first(uint32_t *done) {
    uint32_t none = 0;
    return __atomic_compare_exchange_n(done, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Reads what decides whether anything is chosen; whether it is read. Whoever comes while another reads does not wait. */
static SLOW bool prepare(void) {
    if (!is_first(&process.ready))
        return get_acquire(process.ready) == 2;
    int kept = *__errno_location();
    process.pid = getpid();
    read_mode();
    if (process.mode != MODE_OFF)
        read_graphs();
    read_report();
    if (process.reports)
        atexit(report);
    *__errno_location() = kept;
    put_release(process.ready, 2);
    return true;
}

/* Finds out all that choosing needs besides; whether it is known. As above nobody waits. */
static SLOW bool find_out(void) {
    if (!is_first(&process.known))
        return get_acquire(process.known) == 2;
    int kept = *__errno_location();
    read_cache();
    find_driver();
    if (process.can_measure && process.writes && process.cache[0])
        atexit(keep_open);
    *__errno_location() = kept;
    put_release(process.known, 2);
    return true;
}

#endif
