/* Whether that is memory which a version's copies read, and K may not: K reads it under conditions that nobody knows before. */
#ifndef MESI_RT_MAPPED_H
#define MESI_RT_MAPPED_H

#include "rt_base.h"

/* Whether the driver knows an address. This question makes no error of one that it does not know, which a tool that listens to errors
 * (compute-sanitizer) would show as the program's. */
static SLOW bool is_known(const struct driver *d, uint64_t address) {
    uint64_t kind = 0;
    int attribute = POINTER_MEMORY;
    void *value = &kind;
    return !d->pointer_attributes(1, &attribute, &value, address) && kind;
}

/* Whether all bytes from `low` up to `high` lie in one allocation, or one mapping of reserved addresses, that the device may read. What the
 * driver does not know, as memory of the host that was not registered, is none. Both calls only ask, so they may come while a stream records
 * a graph, and neither changes the runtime's last error. */
static SLOW bool is_memory(uint64_t low, uint64_t high) {
    const struct driver *d = &process.driver;
    unsigned long long start = 0, access = 0;
    size_t bytes = 0;
    if (low > high || !d->address_range || !d->pointer_attribute || !d->pointer_attributes || !is_known(d, low))
        return false;
    if (d->address_range(&start, &bytes, low) || d->pointer_attribute(&access, POINTER_ACCESS, low))
        return false;
    return (access & MAY_READ) && start <= low && high - start <= bytes;
}

/* Whether a version's copies read nothing but memory in a launch with these numbers. */
static FAST bool reads_memory(const struct launch *l, const struct mesi_version *v, const uint32_t *numbers) {
    struct mesi_ranges all;
    memcpy(all.numbers, numbers, sizeof all.numbers);
    if (!v->mapped(l->args, (uint32_t *)&all))
        return false;
    for (int i = 0; i < MESI_RANGES; i++)
        if (all.range[i][0] != all.range[i][1] && !is_memory(all.range[i][0], all.range[i][1]) && !MUTATED(35))
            return false;
    return true;
}

#endif
