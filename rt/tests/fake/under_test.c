/* The run-time part, and what tests look at inside it. What it asks of the system is counted. */
#define getenv fake_getenv
#define open fake_open
#define mmap fake_mmap
#include "../../mesi_rt.c"

void *memset(void *to, int byte, size_t bytes);

int test_settled(struct mesi_kernel *kernel);
int test_classes(struct mesi_kernel *kernel);
void test_forget(struct mesi_kernel *kernel);
double test_share(struct mesi_kernel *kernel);

/* Whether all classes of a kernel are settled, or were and are looked at again. */
int test_settled(struct mesi_kernel *kernel) {
    struct state *s = kernel->state;
    for (int i = 0; s && i < CLASSES && get(s->classes[i].key); i++)
        if (!get(s->classes[i].settled) && !s->classes[i].drift)
            return 0;
    return s && get(s->classes->key);
}

int test_classes(struct mesi_kernel *kernel) {
    struct state *s = kernel->state;
    int n = 0;
    while (s && n < CLASSES && get(s->classes[n].key))
        n++;
    return n;
}

/* As if the process had just started. */
void test_forget(struct mesi_kernel *kernel) {
    struct state *s = kernel->state;
    struct class *all = s ? s->classes : &no_class;
    if (all != &no_class && (all < pool[0] || all > pool[POOL - 1]))
        munmap(all, sizeof *pool);
    if (s && (s < states || s >= states + STATES))
        munmap(s, sizeof *s);
    memset(pool, 0, sizeof pool);
    memset(states, 0, sizeof states);
    pooled = stated = 0;
    kernel->state = 0;
    process = (struct process){0};
}
