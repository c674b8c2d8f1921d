/* The report at exit: a table on stderr, or JSON in a file. It reads memory alone, since CUDA may be gone by then. */
#ifndef MESI_RT_REPORT_H
#define MESI_RT_REPORT_H

#include "rt_class.h"

static const char *const why_names[] = {"new",    "model",        "learning",       "measured", "cached",
                                        "pinned", "short kernel", "not measurable", "fixed"};

/* Text on its way to a file. */
struct text {
    int file;
    size_t bytes;
    char buffer[2048];
};

static void flush(struct text *t) {
    for (size_t done = 0; done < t->bytes;) {
        long n = write(t->file, t->buffer + done, t->bytes - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    t->bytes = 0;
}

__attribute__((format(printf, 2, 3))) static void print(struct text *t, const char *format, ...) {
    if (t->bytes > sizeof t->buffer - 1024)
        flush(t);
    va_list rest;
    va_start(rest, format);
    int n = vsnprintf(t->buffer + t->bytes, sizeof t->buffer - t->bytes, format, rest);
    va_end(rest);
    size_t room = sizeof t->buffer - t->bytes - 1;
    if (n > 0)
        t->bytes += (size_t)n < room ? (size_t)n : room;
}

/* A ratio's thousandths: floating point would be printed with the locale's comma. */
static unsigned thousandths(double logarithm) {
    double x = logarithm > 6 ? 6 : logarithm < -6 ? -6 : logarithm;
    return (unsigned)(exp_of(x) * 1000 + 0.5);
}

#define RATIO "%u.%03u"
#define RATIO_OF(x) thousandths(x) / 1000, thousandths(x) % 1000

/* What a candidate is called: a kernel's name, and whether it runs in other blocks. */
static const char *name_of(const struct mesi_kernel *k, uint32_t candidate) {
    const struct mesi_version *v = version_of(k, candidate);
    return v ? v->name : k->name;
}

static const char *blocks_of(const struct mesi_kernel *k, uint32_t candidate) {
    return candidate > k->versions ? " in other blocks" : "";
}

/* Adds to a kernel's time what its classes have not yet reported. */
static void account_all(struct state *s) {
    struct class *all = get_acquire(s->classes);
    for (uint32_t i = 0; i < CLASSES && get_acquire(all[i].key); i++) {
        struct class *c = &all[i];
        if (!take(&c->busy))
            continue;
        account(s, c);
        let_go(&c->busy);
    }
}

/* Whether a kind's launches are in no class yet. Those of a kind that no version may run never will be. */
static bool is_outside(const struct state *s, uint32_t kind) {
    const struct class *all = get_acquire(s->classes);
    uint64_t word = get(s->kind[kind]);
    for (uint32_t i = 0; i < CLASSES && get_acquire(all[i].key); i++)
        if ((all[i].shape ^ word) <= COUNT_MASK)
            return false;
    return word != 0;
}

/* As a class: a kind of few launches, of which no more is known. False: that kind is none. */
static bool as_class(const struct state *s, uint32_t kind, struct class *c) {
    uint64_t word = get(s->kind[kind]);
    const struct example *e = &s->example[kind];
    if (!is_outside(s, kind) || (word & COUNT_MASK) >= FIRST_TIMED)
        return false;
    *c = (struct class){.why = WHY_LEARNING, .launches = word & COUNT_MASK, .shared = get(e->shared)};
    for (int i = 0; i < 6; i++)
        c->numbers[i] = get(e->numbers[i]);
    return true;
}

/* Launches of the kernel as it is, outside of all classes. */
static uint64_t as_it_is(const struct state *s) {
    uint64_t n = get(s->beyond);
    for (uint32_t i = 0; i < KINDS; i++)
        if (is_outside(s, i) && (get(s->kind[i]) & COUNT_MASK) >= FIRST_TIMED)
            n += FIRST_TIMED - 1;
    return n;
}

/* Whether a class's gain is known. */
static bool has_gain(const struct class *c) { return get(c->choice) && c->decided_pairs; }

static void print_class(struct text *t, const struct state *s, const struct class *c) {
    const uint32_t *n = c->numbers;
    uint32_t choice = get(c->choice), why = get(c->why);
    print(t, "  blocks %ux%ux%u, grid like %ux%ux%u, %u bytes dynamic: ", n[0], n[1], n[2], n[3], n[4], n[5], c->shared);
    print(t, "%llu launches of %.300s%s (%s)", (unsigned long long)get(c->launches), name_of(s->kernel, choice), blocks_of(s->kernel, choice), why_names[why]);
    if (has_gain(c))
        print(t, ", x" RATIO " (" RATIO " to " RATIO ")", RATIO_OF(c->gain), RATIO_OF(c->low), RATIO_OF(c->high));
    print(t, ", trials cost %llu us\n", (unsigned long long)(c->cost / 1000));
}

static void print_table(struct text *t) {
    print(t, "mesi: what ran, of kernels that have versions\n");
    for (struct state *s = get_acquire(process.states); s; s = s->next) {
        print(t, "%.300s\n", s->kernel->name);
        struct class *all = get_acquire(s->classes), few;
        for (uint32_t i = 0; i < CLASSES && get_acquire(all[i].key); i++) {
            if (!take(&all[i].busy))
                continue;
            print_class(t, s, &all[i]);
            let_go(&all[i].busy);
        }
        for (uint32_t i = 0; i < KINDS; i++)
            if (as_class(s, i, &few))
                print_class(t, s, &few);
        if (as_it_is(s))
            print(t, "  %llu launches of the kernel as it is: no version may run them, or there are more than %d kinds of launches\n",
                  (unsigned long long)as_it_is(s), CLASSES);
    }
    if (process.cache[0])
        print(t, "choices are kept in %s; to forget them, delete it: rm -r '%s'\n", process.cache, process.cache);
    else
        print(t, "choices are not kept\n");
}

/* A string of JSON. */
static void print_string(struct text *t, const char *string) {
    print(t, "\"");
    for (const char *p = string; *p; p++) {
        if (*p == '"' || *p == '\\')
            print(t, "\\%c", *p);
        else if ((unsigned char)*p < 0x20)
            print(t, "\\u%04x", (unsigned)*p);
        else
            print(t, "%c", *p);
    }
    print(t, "\"");
}

static void print_json_class(struct text *t, const struct state *s, const struct class *c) {
    const uint32_t *n = c->numbers;
    uint32_t choice = get(c->choice);
    print(t, "{\"block\":[%u,%u,%u],\"grid_like\":[%u,%u,%u],\"dynamic\":%u,\"launches\":%llu,\"candidate\":%u,\"choice\":", n[0],
          n[1], n[2], n[3], n[4], n[5], c->shared, (unsigned long long)get(c->launches), choice);
    print_string(t, name_of(s->kernel, choice));
    print(t, ",\"other_blocks\":%s,\"why\":\"%s\",\"settled\":%s,", choice > s->kernel->versions ? "true" : "false",
          why_names[get(c->why)], get(c->settled) || c->drift ? "true" : "false");
    if (has_gain(c))
        print(t, "\"gain\":" RATIO ",\"low\":" RATIO ",\"high\":" RATIO ",\"pairs\":%u,", RATIO_OF(c->gain), RATIO_OF(c->low),
              RATIO_OF(c->high), c->decided_pairs);
    print(t, "\"compared\":%u,\"open_pairs\":%u,\"trials_us\":%llu}", c->tested, c->pairs, (unsigned long long)(c->cost / 1000));
}

static void print_json(struct text *t) {
    print(t, "{\"process\":%d,\"cache\":", process.pid);
    print_string(t, process.cache);
    print(t, ",\"kernels\":[");
    const char *comma = "";
    for (struct state *s = get_acquire(process.states); s; s = s->next) {
        account_all(s);
        print(t, "%s{\"kernel\":", comma);
        print_string(t, s->kernel->name);
        print(t, ",\"time_us\":%lld,\"trials_us\":%lld,\"as_it_is\":%llu,\"classes\":[", (long long)get(s->spent) / 1000,
              (long long)(get(s->excess) + get(s->timing)) / 1000, (unsigned long long)as_it_is(s));
        const char *inner = "";
        struct class *all = get_acquire(s->classes), few;
        for (uint32_t i = 0; i < CLASSES && get_acquire(all[i].key); i++) {
            if (!take(&all[i].busy))
                continue;
            print(t, "%s", inner);
            print_json_class(t, s, &all[i]);
            let_go(&all[i].busy);
            inner = ",";
        }
        for (uint32_t i = 0; i < KINDS; i++) {
            if (!as_class(s, i, &few))
                continue;
            print(t, "%s", inner);
            print_json_class(t, s, &few);
            inner = ",";
        }
        print(t, "]}");
        comma = ",";
    }
    print(t, "]}");
}

/* Opens the report's file. A program of several images has a run-time part in each, and each adds an element to the array; what an
 * earlier process left goes. */
static int open_report(void) {
    char start[32], there[64] = {0};
    int n = snprintf(start, sizeof start, "[\n{\"process\":%d,", process.pid);
    int file = open(process.report, READ_WRITE | CREATE | NOT_INHERITED, 0644);
    if (file < 0)
        return file;
    bool ours = read(file, there, sizeof there - 1) >= n && !strncmp(there, start, (size_t)n);
    if (ours && lseek(file, -3, 2) > 0) {
        (void)!write(file, ",\n", 2);
        return file;
    }
    close(file);
    file = open(process.report, WRITE_ONLY | CREATE | EMPTIED | NOT_INHERITED, 0644);
    if (file >= 0)
        (void)!write(file, "[\n", 2);
    return file;
}

static SLOW void report(void) {
    struct text t = {.file = 2};
    if (getpid() != process.pid)
        return;
    /* Where the cache lies was not of interest so far, and no launch will ask any more. */
    if (is_first(&process.known))
        read_cache();
    if (!strcmp(process.report, "1")) {
        print_table(&t);
        flush(&t);
        return;
    }
    t.file = open_report();
    if (t.file < 0) {
        t.file = 2;
        print(&t, "mesi: cannot write %.400s\n", process.report);
        flush(&t);
        return;
    }
    print_json(&t);
    print(&t, "\n]\n");
    flush(&t);
    close(t.file);
}

#endif
