/* The run-time part, and what tests look at inside it. */
#include "../../mesi_rt.c"

void *memset(void *to, int byte, size_t bytes);

int test_settled(struct mesi_kernel *kernel);
int test_classes(struct mesi_kernel *kernel);
void test_forget(struct mesi_kernel *kernel);
double test_share(struct mesi_kernel *kernel);

/* Whether all classes of a kernel are settled. */
int test_settled(struct mesi_kernel *kernel) {
    struct state *s = kernel->state;
    for (int i = 0; s && i < CLASSES; i++)
        if (get(s->class[i].key) && !get(s->class[i].settled))
            return 0;
    return s != 0;
}

int test_classes(struct mesi_kernel *kernel) {
    struct state *s = kernel->state;
    int n = 0;
    for (int i = 0; s && i < CLASSES; i++)
        n += get(s->class[i].key) != 0;
    return n;
}

/* As if the process had just started. */
void test_forget(struct mesi_kernel *kernel) {
    struct state *s = kernel->state;
    if (s && (s < pool || s >= pool + POOL))
        munmap(s, sizeof *s);
    memset(pool, 0, sizeof pool);
    pooled = 0;
    kernel->state = 0;
    process = (struct process){0};
}
