// Times every launch of the tables in three builds of one process: a and c are clang's, b is the plug-in's.
//
// The builds take turns launch by launch, so that clocks that drift meet all alike. c against a says how
// much of a difference is noise.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "unseen.h"

typedef unsigned long long u64;
extern const Buffer buffers[];
extern const Argument arguments[];
extern const Row rows[];
extern const int row_count;
extern const Kernel *const *const builds[3];
extern const int per_batch;

static void check(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return;
    fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(e));
    exit(2);
}

enum { F16, F32, F64, I8, U8, I16, U16, I32, U32, I64, U64 };
enum { UNIFORM, IOTA, ZERO, CONST, INDEX };

__device__ u64 mixed(u64 z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

template <class T> __device__ void put(void *out, u64 i, double v)
{
    ((T *)out)[i] = sizeof(T) < 8 && (T)0.5 == (T)0 ? (T)(long long)v : (T)v;
}

// The same values as the launch headers give elsewhere.
__global__ void fill_buffer(void *out, Buffer b)
{
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < b.count; i += (u64)gridDim.x * blockDim.x) {
        u64 z = mixed(b.seed + (i + 1) * 0x9e3779b97f4a7c15ull);
        double v = b.kind == IOTA ? (double)i : b.kind == CONST ? b.a : 0.0;
        if (b.kind == UNIFORM)
            v = __dadd_rn(b.a, __dmul_rn((double)(z >> 11) * 0x1p-53, __dsub_rn(b.b, b.a)));
        if (b.kind == UNIFORM && b.type > F64)
            v = floor(v);
        if (b.kind == INDEX)
            v = (double)(z % (u64)b.a);
        switch (b.type) {
        case F16: put<_Float16>(out, i, v); break;
        case F32: put<float>(out, i, v); break;
        case F64: put<double>(out, i, v); break;
        case I8:
        case U8: put<unsigned char>(out, i, v); break;
        case I16:
        case U16: put<unsigned short>(out, i, v); break;
        case I32:
        case U32: put<unsigned>(out, i, v); break;
        default: ((long long *)out)[i] = (long long)v;
        }
    }
}

__global__ void hash_words(const u64 *words, u64 count, u64 *out)
{
    u64 sum = 0;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
        sum += mixed(words[i] ^ (i + 1) * 0x9e3779b97f4a7c15ull);
    atomicAdd(out, sum);
}

// Keeps the GPU busy while the host queues what is timed.
__global__ void wait_for(u64 nanoseconds, u64 *out)
{
    u64 start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < nanoseconds);
    if (now == 0)
        *out = now;
}

static const u64 GAP = 512;
static char *arena;
static u64 *sink;

static double wall()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

static double median(std::vector<double> v)
{
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[v.size() / 2];
}

struct Run {
    const Row &row;
    std::vector<Value> values;
    std::vector<char *> at;
    u64 used = 0;
    cudaEvent_t events[4];
    double host[3] = {0, 0, 0};

    explicit Run(const Row &r) : row(r)
    {
        for (int b = 0; b < row.buffers; b++) {
            const Buffer &buffer = buffers[row.first_buffer + b];
            used += GAP;
            at.push_back(arena + used);
            used += (std::max<u64>(buffer.count, 1) * buffer.size + GAP - 1) / GAP * GAP;
        }
        used += GAP;
        for (int i = 0; i < row.arguments; i++) {
            const Argument &a = arguments[row.first_argument + i];
            values.push_back({a.buffer < 0 ? a.bits : (u64)at[a.buffer] + a.bits});
        }
        for (cudaEvent_t &e : events)
            check(cudaEventCreate(&e), "event");
    }

    ~Run()
    {
        for (cudaEvent_t &e : events)
            cudaEventDestroy(e);
    }

    const Kernel &kernel(int side) const
    {
        return builds[side][row.kernel / per_batch][row.kernel % per_batch];
    }

    void fill()
    {
        check(cudaMemsetAsync(arena, 0xa5, used, 0), "memset");
        for (int b = 0; b < row.buffers; b++)
            fill_buffer<<<1024, 256>>>(at[b], buffers[row.first_buffer + b]);
        check(cudaDeviceSynchronize(), "fill");
    }

    // What the arrays take.
    static u64 bytes(const Row &r)
    {
        u64 sum = GAP;
        for (int b = 0; b < r.buffers; b++)
            sum += GAP + (std::max<u64>(buffers[r.first_buffer + b].count, 1) * buffers[r.first_buffer + b].size + GAP - 1) / GAP * GAP;
        return sum;
    }

    // Of all bytes, inputs and what lies between arrays too.
    u64 hash()
    {
        u64 h = 0;
        check(cudaMemset(sink, 0, 8), "memset");
        hash_words<<<1024, 256>>>((const u64 *)arena, used / 8, sink);
        check(cudaMemcpy(&h, sink, 8, cudaMemcpyDeviceToHost), "hash");
        return h;
    }

    void launch(int side)
    {
        double start = wall();
        kernel(side).launch(values.data(), dim3(row.grid[0], row.grid[1], row.grid[2]),
                            dim3(row.block[0], row.block[1], row.block[2]), row.shared, 0);
        host[side] += wall() - start;
    }

    // Microseconds of the host's clock from before a launch until the GPU is idle again.
    double whole(int side)
    {
        double start = wall();
        launch(side);
        check(cudaDeviceSynchronize(), row.name);
        double end = wall();
        check(cudaGetLastError(), row.name);
        return (end - start) * 1e6;
    }

    // Microseconds of `count` launches of a build, waited for. `again`: behind one of its own, as in a program that launches it over and over:
    // what lies in L2, and in which part of it, hangs on which threads read it last.
    double timed(int side, int count, bool again = false)
    {
        wait_for<<<1, 1>>>(20000, sink);
        if (again)
            launch(side);
        cudaEventRecord(events[0]);
        for (int i = 0; i < count; i++)
            launch(side);
        cudaEventRecord(events[1]);
        check(cudaDeviceSynchronize(), row.name);
        check(cudaGetLastError(), row.name);
        float ms = 0;
        cudaEventElapsedTime(&ms, events[0], events[1]);
        return ms * 1e3 / count;
    }
};

static void prepare(Run &run)
{
    std::vector<void *> from;
    run.fill();
    for (int g = run.row.buffers - run.row.globals; g < run.row.buffers; g++)
        from.push_back(run.at[g]);
    for (int side = 0; side < 3; side++) {
        cudaFuncAttributes attributes;
        check(cudaFuncGetAttributes(&attributes, run.kernel(side).function), run.row.name);
        if (run.row.globals)
            run.kernel(side).globals(from.data());
    }
}

struct Options {
    int settle_launches = 400;
    double settle_ms = 60, time_ms = 60;
};

// Ten launches of each build, in turns; `whole`: with all that a program waits for, else behind a wait on the GPU.
static void first_ten(Run &run, int index, bool whole, double *sums, u64 *hashes)
{
    for (int turn = 0; turn < 10; turn++)
        for (int s = 0; s < 3; s++) {
            int side = (s + turn + index) % 3;
            if (turn == 0)
                run.fill();
            // How much is noise is of no interest where a launch takes milliseconds.
            if (whole && turn && side == 2 && sums[0] > 2000 * turn) {
                sums[2] += sums[2] / turn;
                continue;
            }
            sums[side] += whole ? run.whole(side) : run.timed(side, 1);
            if (turn == 0)
                hashes[side] = run.hash();
        }
}

// The first ten launches alone.
static void measure_first(int index)
{
    Run run(rows[index]);
    prepare(run);
    u64 hashes[3];
    double sums[3] = {0, 0, 0};
    first_ten(run, index, true, sums, hashes);
    printf("{\"row\":%d,\"kernel\":\"%s\",\"label\":\"%s\",\"first_clang\":%.2f,\"first_mesi\":%.2f,\"first_again\":%.2f,"
           "\"equal\":%s}\n",
           index, run.row.name, run.row.label, sums[0], sums[1], sums[2],
           hashes[1] == hashes[0] && hashes[2] == hashes[0] ? "true" : "false");
    fflush(stdout);
}

// Gain of what runs from the first launch on: a candidate that the environment pins.
static void measure_alone(int index, const Options &o)
{
    Run run(rows[index]);
    prepare(run);
    double least = std::min(run.timed(0, 1), run.timed(0, 1));
    run.timed(1, 1);
    int count = (int)std::min(10.0, std::max(1.0, 200 / std::max(least, 1.0)));
    std::vector<double> gain;
    double begin = wall();
    for (int round = 0; round < 20 && (round < 3 || wall() - begin < o.time_ms * 0.5e-3); round++) {
        double t[2];
        for (int s = 0; s < 2; s++)
            t[(s + round) % 2] = run.timed((s + round) % 2, count, true);
        gain.push_back(t[0] / t[1]);
    }
    printf("{\"row\":%d,\"gain\":%.4f}\n", index, median(gain));
    fflush(stdout);
}

static void measure(int index, const Options &o)
{
    Run run(rows[index]);
    prepare(run);
    u64 hashes[2][3];
    double first[3] = {0, 0, 0}, host[3];
    first_ten(run, index, false, first, hashes[0]);
    std::copy(run.host, run.host + 3, host);
    double begin = wall();
    int launches = 10;
    for (; launches < o.settle_launches && wall() - begin < o.settle_ms * 1e-3; launches++) {
        run.launch(1);
        if (launches % 10 == 9)
            check(cudaDeviceSynchronize(), run.row.name);
    }
    check(cudaDeviceSynchronize(), run.row.name);
    // Short kernels several at a time.
    int count = (int)std::min(10.0, std::max(1.0, 2000 / std::max(first[0], 1.0)));
    std::vector<double> times[3], gain, noise;
    begin = wall();
    for (int round = 0; round < 40 && (round < 5 || wall() - begin < o.time_ms * 1e-3); round++) {
        double t[3];
        for (int s = 0; s < 3; s++) {
            int side = (s + round) % 3;
            t[side] = run.timed(side, count, true);
            times[side].push_back(t[side]);
        }
        gain.push_back(t[0] / t[1]);
        noise.push_back(t[0] / t[2]);
    }
    for (int side = 0; side < 3; side++) {
        run.fill();
        run.timed(side, 1);
        hashes[1][side] = run.hash();
    }
    bool equal = true;
    for (int i = 0; i < 2; i++)
        for (int s = 0; s < 3; s++)
            equal = equal && hashes[i][s] == hashes[0][0];
    printf("{\"row\":%d,\"kernel\":\"%s\",\"label\":\"%s\",\"clang\":%.3f,\"mesi\":%.3f,\"again\":%.3f,"
           "\"gain\":%.4f,\"noise\":%.4f,\"first_clang\":%.2f,\"first_mesi\":%.2f,\"first_again\":%.2f,"
           "\"host_clang\":%.3f,\"host_mesi\":%.3f,\"launches\":%d,\"rounds\":%d,\"equal\":%s}\n",
           index, run.row.name, run.row.label, median(times[0]), median(times[1]), median(times[2]), median(gain),
           median(noise), first[0], first[1], first[2], host[0] * 1e5, host[1] * 1e5, launches, (int)gain.size(),
           equal ? "true" : "false");
    fflush(stdout);
}

// Rows are named by number: FROM-TO, or single ones; --settle LAUNCHES MS, --time MS; --first: the first ten launches alone; --alone: what runs from the
// first launch on.
int main(int argc, char **argv)
{
    Options o;
    std::vector<int> list;
    bool first = false, alone = false;
    for (int i = 1; i < argc; i++) {
        int from, to;
        if (!strcmp(argv[i], "--settle") && i + 2 < argc) {
            o.settle_launches = atoi(argv[++i]);
            o.settle_ms = atof(argv[++i]);
        } else if (!strcmp(argv[i], "--time") && i + 1 < argc) {
            o.time_ms = atof(argv[++i]);
        } else if (!strcmp(argv[i], "--first")) {
            first = true;
        } else if (!strcmp(argv[i], "--alone")) {
            alone = true;
        } else if (!strcmp(argv[i], "--count")) {
            printf("%d\n", row_count);
            return 0;
        } else if (!strcmp(argv[i], "--kernels")) {
            for (int r = 0; r < row_count; r++)
                puts(rows[r].name);
            return 0;
        } else if (sscanf(argv[i], "%d-%d", &from, &to) == 2) {
            for (int r = from; r < to && r < row_count; r++)
                list.push_back(r);
        } else if (sscanf(argv[i], "%d", &from) == 1 && from >= 0 && from < row_count) {
            list.push_back(from);
        } else {
            fprintf(stderr, "error: `%s` is no row, give FROM-TO below %d\n", argv[i], row_count);
            return 2;
        }
    }
    u64 most = 0;
    for (int r : list)
        most = std::max(most, Run::bytes(rows[r]));
    check(cudaMalloc((void **)&arena, most), "memory");
    check(cudaMalloc((void **)&sink, 8), "memory");
    for (int r : list) {
        if (first)
            measure_first(r);
        else if (alone)
            measure_alone(r, o);
        else
            measure(r, o);
    }
    return 0;
}
