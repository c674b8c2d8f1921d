/* Reads a scenario from standard input, one command a line, and runs it on the fake. */
#include "fake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int test_settled(struct mesi_kernel *kernel);
int test_classes(struct mesi_kernel *kernel);
void test_forget(struct mesi_kernel *kernel);
uint64_t mesi_test_clock(void);

static struct mesi_kernel kernel;
static uint32_t versions = 1;
static struct mesi_dim3 grid = {100, 1, 1}, block = {64, 1, 1};
static size_t shared;
static int scalar = 1000;
static int sync_every;
static int stream;
static int attributes = -1;
static int thread_stream = 8;

static int launch_on(int at, int number) {
    void *pointer = 0;
    int n = number;
    void *args[] = {&pointer, &n, 0};
    if (attributes >= 0) {
        struct {
            struct mesi_dim3 grid, block;
            size_t shared;
            void *stream;
            const void *attributes;
            unsigned count;
        } config = {grid, block, shared, (void *)(uintptr_t)at, 0, (unsigned)attributes};
        return mesi_launch_ex(&config, &kernel, args);
    }
    return mesi_launch(&kernel, grid, block, args, shared, (void *)(uintptr_t)at);
}

static int launch_once(void) {
    static int since;
    int r = launch_on(stream, scalar);
    if (sync_every && ++since >= sync_every) {
        fake_sync();
        since = 0;
    }
    return r;
}

struct job {
    int number, launches;
};
static void *worker(void *p) {
    struct job *job = p;
    for (int i = 0; i < job->launches; i++)
        launch_on(thread_stream ? thread_stream + job->number % 2 * (i % 64 < 32) : 0, 1000 << (i / 500 % 3));
    return 0;
}

static void counts(void) {
    printf("counts");
    for (int i = 0; i < CANDIDATES; i++)
        printf(" %llu", (unsigned long long)seen.launches[i]);
    printf("\n");
}

static void set(const char *name, double x) {
#define FIELD(n) if (!strcmp(name, #n)) { fake.n = (__typeof__(fake.n))x; return; }
    FIELD(noise) FIELD(outliers) FIELD(behind_k) FIELD(seed) FIELD(host_launch) FIELD(event_cost) FIELD(lazy) FIELD(load) FIELD(multiprocessors)
    FIELD(driver) FIELD(events) FIELD(max_threads) FIELD(max_dynamic) FIELD(quick) FIELD(green) FIELD(ran) FIELD(most_shared) FIELD(disallows) FIELD(chip)
    FIELD(start) FIELD(bytes) FIELD(access) FIELD(low) FIELD(high) FIELD(untold) FIELD(lacks)
#define OWN(n, place) if (!strcmp(name, #n)) { place = (__typeof__(place))x; return; }
    OWN(sync_every, sync_every) OWN(thread_stream, thread_stream) OWN(stream, stream) OWN(shared, shared) OWN(scalar, scalar) OWN(attributes, attributes)
    OWN(sound, fake_sound) OWN(pays, fake_pays) OWN(small, fake_small) OWN(large_grid, fake_large_grid) OWN(rewritten, fake_rewritten) OWN(unfoldable, fake_unfoldable) OWN(device, fake_device) OWN(grid, grid.x) OWN(grid_y, grid.y) OWN(block, block.x)
    OWN(block_y, block.y) OWN(flags, kernel.flags) OWN(abi, kernel.abi) OWN(hash, kernel.hash)
    fprintf(stderr, "no such setting: %s\n", name);
    exit(2);
}

/* Runs a program of so many launches for each of so many seeds, each as a new process. */
static void sweep(int seeds, int launches) {
    for (int s = 1; s <= seeds; s++) {
        test_forget(&kernel);
        fake.seed = (uint64_t)s;
        fake_forget();
        int settled = 0;
        for (int i = 0; i < launches; i++) {
            launch_once();
            if (!settled && test_settled(&kernel))
                settled = i + 1;
        }
        printf("seed %d settled %d last %d regret %.5f", s, settled, seen.last, seen.device / seen.plain - 1);
        for (int i = 0; i < CANDIDATES; i++)
            printf(" %llu", (unsigned long long)seen.launches[i]);
        printf("\n");
    }
}

static double nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void bench(int n) {
    double best[2] = {1e9, 1e9};
    int on = stream;
    void *pointer = 0, *args[] = {&pointer, &scalar, 0};
    for (int round = 0; round < 20; round++) {
        double t0 = nanoseconds();
        for (int i = 0; i < n; i++)
            mesi_launch(&kernel, grid, block, args, shared, (void *)(uintptr_t)on);
        double t1 = nanoseconds();
        const void *k = kernel.version[0].stub;
        extern int cudaLaunchKernel(const void *, struct mesi_dim3, struct mesi_dim3, void **, size_t, void *);
        for (int i = 0; i < n; i++)
            cudaLaunchKernel(k, grid, block, args, shared, (void *)(uintptr_t)on);
        double t2 = nanoseconds();
        best[0] = t1 - t0 < best[0] ? t1 - t0 : best[0];
        best[1] = t2 - t1 < best[1] ? t2 - t1 : best[1];
    }
    printf("bench %.1f %.1f\n", best[0] / n, best[1] / n);
}

/* Nanoseconds of a process's first launch, of one of the ten that follow, and of one without the run-time part. */
static void bench_first(int n) {
    double best[3] = {1e9, 1e9, 1e9};
    void *pointer = 0, *args[] = {&pointer, &scalar, 0};
    void *on = (void *)(uintptr_t)stream;
    for (int round = 0; round < n; round++) {
        test_forget(&kernel);
        double t0 = nanoseconds();
        mesi_launch(&kernel, grid, block, args, shared, on);
        double t1 = nanoseconds();
        for (int i = 0; i < 10; i++)
            mesi_launch(&kernel, grid, block, args, shared, on);
        double t2 = nanoseconds();
        extern int cudaLaunchKernel(const void *, struct mesi_dim3, struct mesi_dim3, void **, size_t, void *);
        for (int i = 0; i < 10; i++)
            cudaLaunchKernel(kernel.stub, grid, block, args, shared, on);
        double t3 = nanoseconds(), all[3] = {t1 - t0, (t2 - t1) / 10, (t3 - t2) / 10};
        for (int i = 0; i < 3; i++)
            best[i] = all[i] < best[i] ? all[i] : best[i];
    }
    printf("bench_first %.1f %.1f %.1f\n", best[0], best[1], best[2]);
}

int main(void) {
    char line[256], word[64], name[64];
    double x = 0, y = 0;
    fake = (struct fake){.time = {100000, 100000, 100000, 100000, 100000, 100000, 100000, 100000, 100000, 100000}, .seed = 1, .host_launch = 3000, .event_cost = 1000,
                         .load = 200000, .multiprocessors = 132, .driver = 13000, .max_threads = 1024, .max_dynamic = 49152, .most_shared = 232448, .chip = 90};
    fake_forget();
    fake_kernel(&kernel, versions);
    while (fgets(line, sizeof line, stdin)) {
        x = y = 0;
        if (sscanf(line, "%63s", word) != 1 || word[0] == '#')
            continue;
        static char called[64];
        if (!strcmp(word, "called") && sscanf(line, "%*s %63s", called) == 1) {
            kernel.name = called;
            continue;
        }
        if (!strcmp(word, "set") && sscanf(line, "%*s %63s %lf", name, &x) == 2) {
            set(name, x);
            continue;
        }
        sscanf(line, "%*s %lf %lf", &x, &y);
        int n = (int)x;
        if (!strcmp(word, "versions"))
            fake_kernel(&kernel, versions = (uint32_t)n);
        else if (!strcmp(word, "reshapes"))
            fake_reshapes = n, fake_kernel(&kernel, versions);
        else if (!strcmp(word, "relies"))
            fake_relies = n, fake_kernel(&kernel, versions);
        else if (!strcmp(word, "trims"))
            fake_trims = n;
        else if (!strcmp(word, "folds"))
            fake_folds = n, fake_kernel(&kernel, versions);
        else if (!strcmp(word, "parts"))
            fake_parts = n, fake_kernel(&kernel, versions);
        else if (!strcmp(word, "per_thread"))
            fake_per_thread = n, fake_kernel(&kernel, versions);
        else if (!strcmp(word, "only_on"))
            fake_only_on = n, fake_kernel(&kernel, versions);
        else if (!strcmp(word, "maps"))
            fake_maps = n, fake_kernel(&kernel, versions);
        else if (!strcmp(word, "blocks"))
            fake_blocks = n, fake_kernel(&kernel, versions);
        else if (!strcmp(word, "merged"))
            fake_merged = n, fake_kernel(&kernel, versions);
        else if (!strcmp(word, "time"))
            fake.time[n] = y * 1000;
        else if (!strcmp(word, "refuse"))
            fake.refuses[n] = (int)y;
        else if (!strcmp(word, "launch"))
            for (int i = 0; i < n; i++)
                launch_once();
        else if (!strcmp(word, "returns"))
            printf("returns %d\n", launch_once());
        else if (!strcmp(word, "trace")) {
            printf("trace");
            for (int i = 0; i < n; i++) {
                launch_once();
                printf(" %d", seen.last);
            }
            printf("\n");
        } else if (!strcmp(word, "sync"))
            fake_sync();
        else if (!strcmp(word, "forget"))
            fake_forget();
        else if (!strcmp(word, "again"))
            test_forget(&kernel), fake_forget();
        else if (!strcmp(word, "counts"))
            counts();
        else if (!strcmp(word, "settled"))
            printf("settled %d\n", test_settled(&kernel));
        else if (!strcmp(word, "classes"))
            printf("classes %d\n", test_classes(&kernel));
        else if (!strcmp(word, "sweep"))
            sweep(n, (int)y);
        else if (!strcmp(word, "capture"))
            fake_capture(stream, n, 0);
        else if (!strcmp(word, "capture_elsewhere"))
            fake_capture(0, n, 1);
        else if (!strcmp(word, "error"))
            fake_set_error(n);
        else if (!strcmp(word, "last_error"))
            printf("last_error %d\n", fake_last_error(0));
        else if (!strcmp(word, "reset"))
            fake_reset_device();
        else if (!strcmp(word, "null"))
            mesi_launch(&kernel, grid, block, 0, 0, 0);
        else if (!strcmp(word, "seen"))
            printf("seen attributes %llu captured %llu captured_versions %llu unsound %llu unfolded %llu unlisted %llu busy_loads %llu broken %llu stale %llu "
                   "events %llu records %llu queries %llu calls %llu variables %llu files %llu maps %llu blocks_of_k %llu blocks %llu shared_of_k %llu shared %llu allowed %llu asked %llu host %llu regret %.5f\n",
                   (unsigned long long)seen.with_attributes, (unsigned long long)seen.captured, (unsigned long long)seen.captured_versions,
                   (unsigned long long)seen.unsound, (unsigned long long)seen.unfolded, (unsigned long long)seen.unlisted, (unsigned long long)seen.busy_loads, (unsigned long long)seen.broken_captures,
                   (unsigned long long)seen.stale_events, (unsigned long long)seen.events, (unsigned long long)seen.records, (unsigned long long)seen.queries,
                   (unsigned long long)seen.calls, (unsigned long long)seen.variables, (unsigned long long)seen.files, (unsigned long long)seen.maps,
                   (unsigned long long)seen.blocks_of_k, (unsigned long long)seen.blocks, (unsigned long long)seen.shared_of_k, (unsigned long long)seen.shared,
                   (unsigned long long)seen.allowed, (unsigned long long)seen.asked, (unsigned long long)mesi_test_clock(),
                   seen.device / seen.plain - 1);
        else if (!strcmp(word, "threads")) {
            pthread_t t[16];
            struct job job[16];
            for (int i = 0; i < n; i++) {
                job[i] = (struct job){i, (int)y};
                pthread_create(&t[i], 0, worker, &job[i]);
            }
            for (int i = 0; i < n; i++)
                pthread_join(t[i], 0);
        } else if (!strcmp(word, "fork")) {
            fflush(stdout);
            pid_t child = fork();
            if (child == 0) {
                uint64_t before = seen.records + seen.queries;
                for (int i = 0; i < n; i++)
                    launch_once();
                printf("child %llu\n", (unsigned long long)(seen.records + seen.queries - before));
                exit(0);
            }
            waitpid(child, 0, 0);
        } else if (!strcmp(word, "bench"))
            bench(n);
        else if (!strcmp(word, "bench_first"))
            bench_first(n);
        else {
            fprintf(stderr, "no such command: %s", line);
            return 2;
        }
    }
    return 0;
}
