/* Choices on disk: one small file for each class of each kernel on each chip, and one of another kind of what is known of a class that is not settled.
 *
 * A file is written under another name and renamed, so that a reader sees all of it or none; what is torn all the same (a full disk),
 * foreign or of another format fails its checksum or its key, and counts as absent. Nothing rests on a file but speed: whether a
 * candidate may run a launch is asked at the launch. There is no lock, and no message.
 */
#ifndef MESI_RT_CACHE_H
#define MESI_RT_CACHE_H

#include "rt_base.h"

struct cached {
    uint32_t choice, runner, pairs;
    double gain, low, high;
    /* Written under this driver; if not, the choice is to be checked like a guess of the model's. */
    bool current;
};

#define ENTRY_BYTES 2048
/* What a class has settled on, and what one knows that is not settled. */
#define SETTLED_KIND "json"
#define OPEN_KIND "open"

/* How many multiprocessors a context may use, if the driver says so (12.4): of a green context fewer than the device has. */
static uint64_t multiprocessors_of(void *context) {
    /* CUdevResource: the kind, 92 bytes of the driver's, the count; the rest is room for later versions. */
    enum { KIND_SM = 1, COUNT_AT = 24 };
    uint32_t resource[256] = {0};
    if (!process.driver.context_resource || process.driver.context_resource(context, resource, KIND_SM))
        return 0;
    return resource[COUNT_AT];
}

/* What the device is: compute capability, multiprocessors, L2 cache, width of the memory's bus. 0: not known. A part of a
 * device (MIG) says the multiprocessors of the part. */
static uint64_t chip_of(void *context) {
    const struct driver *d = &process.driver;
    static const int attributes[] = {75, 76, 16, 38, 37};
    int device = 0, value = 0;
    uint64_t hash = mix(1, multiprocessors_of(context));
    if (!d->device || !d->device_attribute || d->device(&device))
        return 0;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (d->device_attribute(&value, attributes[i], device))
            return 0;
        hash = mix(hash, (uint64_t)value);
    }
    return hash ? hash : 1;
}

/* The part of a file's name that is not the kernel's hash. */
static uint64_t entry_key(const struct class *c) { return mix(mix(c->shape, c->mask), c->chip); }

static uint64_t checksum(const char *text, size_t bytes) {
    uint64_t hash = bytes;
    for (size_t i = 0; i < bytes; i++)
        hash = mix(hash, (unsigned char)text[i]);
    return hash;
}

/* The whole number behind `name`, or `missing`. */
static long number_in(const char *text, const char *name, long missing) {
    const char *at = strstr(text, name);
    if (!at)
        return missing;
    at += strlen(name);
    long sign = *at == '-' ? -1 : 1, n = 0;
    if (*at == '-')
        at++;
    if (*at < '0' || *at > '9')
        return missing;
    for (; *at >= '0' && *at <= '9' && n < 100000000000000; at++)
        n = n * 10 + (*at - '0');
    return sign * n;
}

static bool entry_path(char *path, const struct state *state, const struct class *c, const char *kind) {
    int n = snprintf(path, PATH_BYTES, "%s/%016llx-%016llx.%s", process.cache, (unsigned long long)state->kernel->hash,
                     (unsigned long long)entry_key(c), kind);
    return n > 0 && n < PATH_BYTES;
}

/* Whether the text is a whole file of this kernel, class and chip. */
static bool is_whole(const char *text, const struct state *state, const struct class *c) {
    char expected[128];
    const char *sum = strstr(text, ",\"sum\":\"");
    snprintf(expected, sizeof expected, ",\"sum\":\"%016llx\"}\n", (unsigned long long)(sum ? checksum(text, (size_t)(sum - text)) : 0));
    if (!sum || (strcmp(sum, expected) && !MUTATED(13)))
        return false;
    snprintf(expected, sizeof expected, "{\"schema\":1,\"hash\":\"%016llx\",\"key\":\"%016llx\",",
             (unsigned long long)state->kernel->hash, (unsigned long long)entry_key(c));
    return !strncmp(text, expected, strlen(expected));
}

static bool parse_entry(const char *text, const struct state *state, const struct class *c, struct cached *entry) {
    if (!is_whole(text, state, c))
        return false;
    long choice = number_in(text, "\"choice\":", -1), runner = number_in(text, "\"runner\":", NOBODY);
    if (choice < 0 || choice > 2 * (long)state->kernel->versions + 1)
        return false;
    entry->choice = (uint32_t)choice;
    entry->runner = runner >= 0 && runner < CANDIDATES ? (uint32_t)runner : NOBODY;
    entry->pairs = (uint32_t)number_in(text, "\"pairs\":", 0);
    entry->gain = (double)number_in(text, "\"gain_ppm\":", 0) / 1e6;
    entry->low = (double)number_in(text, "\"low_ppm\":", 0) / 1e6;
    entry->high = (double)number_in(text, "\"high_ppm\":", 0) / 1e6;
    entry->current = number_in(text, "\"driver\":", -1) == process.driver_version;
    return true;
}

/* Reads a file of a class; false: there is none. */
static bool read_entry(char *text, const struct state *state, const struct class *c, const char *kind) {
    char path[PATH_BYTES];
    if (!process.cache[0] || !c->chip || !entry_path(path, state, c, kind))
        return false;
    int file = open(path, READ_ONLY | NOT_INHERITED);
    if (file < 0)
        return false;
    size_t n = 0;
    for (long got = 1; got > 0 && n < ENTRY_BYTES - 1; n += got > 0 ? (size_t)got : 0)
        got = read(file, text + n, ENTRY_BYTES - 1 - n);
    close(file);
    text[n] = 0;
    return true;
}

/* Reads the entry of a new class, if there is one. */
static bool cache_read(struct state *state, struct class *c, struct cached *entry) {
    char text[ENTRY_BYTES];
    return read_entry(text, state, c, SETTLED_KIND) && parse_entry(text, state, c, entry);
}

/* Makes the folders of the cache's path. */
static void make_folders(void) {
    char path[PATH_BYTES];
    size_t n = strlen(process.cache);
    memcpy(path, process.cache, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i])
            continue;
        path[i] = 0;
        mkdir(path, 0700);
        path[i] = process.cache[i];
    }
}

/* ---- Marks: empty files of which only the names say something of a kernel, or of hash 0 of any ---- */

#define ANY_KERNEL 0
/* Launches of the kernel were settled by a run that was there to learn. */
#define TUNED_MARK "tuned"
/* There is something of the kernel. */
#define KNOWN_MARK "known"

static bool mark_path(char *path, const char *folder, uint64_t hash, const char *mark) {
    int n = snprintf(path, PATH_BYTES, "%s/%016llx-%016x.%s", folder, (unsigned long long)hash, 0, mark);
    return *folder && n > 0 && n < PATH_BYTES;
}

static void leave_marks(uint64_t hash, const char *mark) {
    char path[PATH_BYTES];
    for (int any = 0; any < 2; any++) {
        bool fits = mark_path(path, process.cache, any ? ANY_KERNEL : hash, mark);
        int file = fits ? open(path, WRITE_ONLY | CREATE | NOT_INHERITED, 0600) : -1;
        if (file >= 0)
            close(file);
    }
}

/* Writes a file of a class: `text` and its checksum. What cannot be written is not. */
static void write_entry(struct state *state, const struct class *c, const char *kind, char *text, int n) {
    char path[PATH_BYTES], other[PATH_BYTES + 64];
    if (n <= 0 || n > ENTRY_BYTES - 64 || !entry_path(path, state, c, kind))
        return;
    n += snprintf(text + n, ENTRY_BYTES - (size_t)n, ",\"sum\":\"%016llx\"}\n", (unsigned long long)checksum(text, (size_t)n));
    snprintf(other, sizeof other, "%s.%d.%u", path, process.pid, add(process.temporary, 1));
    int file = open(other, WRITE_ONLY | CREATE | NEW | NOT_INHERITED, 0600);
    if (file < 0) {
        make_folders();
        file = open(other, WRITE_ONLY | CREATE | NEW | NOT_INHERITED, 0600);
    }
    if (file < 0)
        return;
    bool whole = write(file, text, (size_t)n) == n;
    whole &= close(file) == 0;
    if (!whole || rename(other, path))
        unlink(other);
    else if (!get(state->kept)) {
        put(state->kept, 1);
        leave_marks(state->kernel->hash, KNOWN_MARK);
    }
}

static bool may_write(const struct class *c) { return process.writes && process.cache[0] && c->chip; }

/* The beginning of each file. */
static int print_key(char *text, const struct state *state, const struct class *c) {
    return snprintf(text, ENTRY_BYTES, "{\"schema\":1,\"hash\":\"%016llx\",\"key\":\"%016llx\",\"driver\":%d,\"choice\":%u,\"runner\":%u,"
                    "\"pairs\":%u,\"gain_ppm\":%ld,\"low_ppm\":%ld,\"high_ppm\":%ld", (unsigned long long)state->kernel->hash,
                    (unsigned long long)entry_key(c), process.driver_version, get(c->choice), (unsigned)c->runner, c->decided_pairs,
                    (long)(c->gain * 1e6), (long)(c->low * 1e6), (long)(c->high * 1e6));
}

/* Writes what a class has settled on, in place of what was known before. */
static void cache_write(struct state *state, const struct class *c) {
    char path[PATH_BYTES], text[ENTRY_BYTES];
    if (!may_write(c))
        return;
    int kept = *__errno_location(), n = print_key(text, state, c);
    n += snprintf(text + n, ENTRY_BYTES - (size_t)n, ",\"kernel\":\"%.300s\"", state->kernel->name);
    write_entry(state, c, SETTLED_KIND, text, n);
    if (process.tunes && get(c->choice))
        leave_marks(state->kernel->hash, TUNED_MARK);
    if (c->continued && entry_path(path, state, c, OPEN_KIND))
        unlink(path);
    *__errno_location() = kept;
}

/* ---- Classes that a program ends before they are settled ---- */

/* Writes what a class knows so far: which candidates were compared, what runs, and the pairs of the present duel. */
static void write_open(struct state *state, struct class *c) {
    char text[ENTRY_BYTES];
    int n = print_key(text, state, c);
    n += snprintf(text + n, ENTRY_BYTES - (size_t)n, ",\"tested\":%u,\"undecided\":%u,\"base\":%u,\"challenger\":%u,\"trusted\":%u,\"runner_gain_ppm\":%ld,"
                  "\"base_ns\":%ld,\"challenger_ns\":%ld,\"half\":%u,\"half_ns\":%ld,\"ratios_ppm\":[", c->tested, c->undecided, (unsigned)c->base, (unsigned)c->challenger,
                  (unsigned)c->trusted, (long)(c->runner_gain * 1e6), (long)c->time[c->base],
                  c->challenger == NOBODY ? 0 : (long)c->time[c->challenger], (unsigned)c->half, (long)c->half_time);
    for (uint32_t i = 0; i < c->pairs && n < ENTRY_BYTES - 96; i++)
        n += snprintf(text + n, ENTRY_BYTES - (size_t)n, "%s%ld", i ? "," : "", (long)((double)c->ratio[i] * 1e6));
    n += snprintf(text + n, ENTRY_BYTES - (size_t)n, "]");
    write_entry(state, c, OPEN_KIND, text, n);
    c->continued = true;
}

/* A candidate by its number in the file; NOBODY: none that may run here. */
static uint32_t candidate_in(const char *text, const char *name, const struct class *c, uint32_t broken) {
    long n = number_in(text, name, NOBODY);
    return n >= 0 && n < CANDIDATES && (c->mask & ~broken) >> n & 1 ? (uint32_t)n : NOBODY;
}

/* Goes on where an earlier process ended; false: none left anything, or under another driver. */
static bool read_open(const struct state *state, struct class *c) {
    char text[ENTRY_BYTES];
    uint32_t broken = get(state->broken);
    if (!c->chip || !read_entry(text, state, c, OPEN_KIND) || !is_whole(text, state, c) ||
        number_in(text, "\"driver\":", -1) != process.driver_version)
        return false;
    uint32_t choice = candidate_in(text, "\"choice\":", c, broken), base = candidate_in(text, "\"base\":", c, broken);
    if (choice == NOBODY || base == NOBODY)
        return false;
    c->continued = true;
    c->tested = (uint32_t)number_in(text, "\"tested\":", 0);
    c->undecided = (uint32_t)number_in(text, "\"undecided\":", 0);
    c->runner = (uint8_t)candidate_in(text, "\"runner\":", c, broken);
    c->runner_gain = (double)number_in(text, "\"runner_gain_ppm\":", 0) / 1e6;
    c->gain = (double)number_in(text, "\"gain_ppm\":", 0) / 1e6;
    c->low = (double)number_in(text, "\"low_ppm\":", 0) / 1e6;
    c->high = (double)number_in(text, "\"high_ppm\":", 0) / 1e6;
    c->decided_pairs = (uint32_t)number_in(text, "\"pairs\":", 0);
    c->base = (uint8_t)base;
    c->challenger = (uint8_t)candidate_in(text, "\"challenger\":", c, broken);
    c->trusted = number_in(text, "\"trusted\":", 0) && (c->few ? c->challenger != NOBODY : choice && choice == c->challenger);
    c->half = (uint8_t)candidate_in(text, "\"half\":", c, broken);
    c->half_time = (double)number_in(text, "\"half_ns\":", 0);
    /* What was measured to be better is loaded like a settled choice; what the model is sure of, when there is time. */
    if (c->trusted && !c->few)
        c->waiting = (uint8_t)choice;
    else
        put(c->choice, choice);
    double time = (double)number_in(text, "\"base_ns\":", 0);
    if (time > 0)
        c->time[base] = time, c->samples[base] = BASELINES;
    if (c->challenger == NOBODY)
        return true;
    c->time[c->challenger] = (double)number_in(text, "\"challenger_ns\":", 0);
    const char *at = strstr(text, "\"ratios_ppm\":[");
    for (at = at ? at + 13 : 0; at && c->pairs < PAIRS && (*at == '[' || *at == ','); c->pairs++) {
        /* As a number behind the sign that stands before it. */
        c->ratio[c->pairs] = (float)((double)number_in(at, *at == '[' ? "[" : ",", 0) / 1e6);
        for (at++; *at == '-' || (*at >= '0' && *at <= '9');)
            at++;
        if (at[-1] == '[')
            break;
    }
    return true;
}

#endif
