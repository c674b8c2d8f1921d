// Kernels of the bench itself: fills, the comparison, and the rates that limit every kernel.
//
// Compiled by plain clang into every bundle. Names are not mangled, the runner looks them up.

typedef unsigned long long u64;

// As `ElemType::code` counts.
enum Type { F16, F32, F64, I8, U8, I16, U16, I32, U32, I64, U64 };
// As `lab.rs` counts.
enum Kind { UNIFORM, IOTA, ZERO, CONST, INDEX };

__device__ u64 first()
{
    return (u64)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ u64 step()
{
    return (u64)gridDim.x * blockDim.x;
}

// Number i of the SplitMix64 stream from `seed`; `launch/src/fill.rs` makes the same one.
__device__ u64 split_mix(u64 seed, u64 i)
{
    u64 z = seed + (i + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

__device__ void store_integer(void *out, u64 i, unsigned type, long long v)
{
    switch (type) {
    case I8:
    case U8: ((unsigned char *)out)[i] = v; break;
    case I16:
    case U16: ((unsigned short *)out)[i] = v; break;
    case I32:
    case U32: ((unsigned *)out)[i] = v; break;
    default: ((u64 *)out)[i] = v; break;
    }
}

__device__ void store_real(void *out, u64 i, unsigned type, double v)
{
    switch (type) {
    case F16: ((_Float16 *)out)[i] = (_Float16)v; break;
    case F32: ((float *)out)[i] = (float)v; break;
    case F64: ((double *)out)[i] = v; break;
    default: store_integer(out, i, type, (long long)v); break;
    }
}

// The same bytes as the host's fill: no fused arithmetic, one rounding per step.
extern "C" __global__ void fill(void *out, u64 count, unsigned type, unsigned kind, double a, double b,
                                u64 modulus, u64 seed)
{
    bool real = type <= F64;
    for (u64 i = first(); i < count; i += step()) {
        if (kind == UNIFORM) {
            double unit = (double)(split_mix(seed, i) >> 11) * 0x1p-53;
            double v = __dadd_rn(a, __dmul_rn(unit, __dsub_rn(b, a)));
            store_real(out, i, type, real ? v : floor(v));
        } else if (kind == INDEX) {
            long long v = split_mix(seed, i) % modulus;
            real ? store_real(out, i, type, (double)v) : store_integer(out, i, type, v);
        } else if (kind == IOTA) {
            real ? store_real(out, i, type, (double)i) : store_integer(out, i, type, i);
        } else {
            store_real(out, i, type, kind == CONST ? a : 0.0);
        }
    }
}

template <class T, class Bits> __device__ void compare_as(const void *got, const void *want, u64 count,
                                                          u64 poison, u64 *out)
{
    u64 different = 0, broken = 0;
    double error = 0.0, norm = 0.0;
    for (u64 i = first(); i < count; i += step()) {
        Bits g = ((const Bits *)got)[i], w = ((const Bits *)want)[i];
        double gv = (double)((const T *)got)[i], wv = (double)((const T *)want)[i];
        bool finite = gv - gv == 0.0 && wv - wv == 0.0;
        if (g != w) {
            different++;
            atomicMin(&out[1], i);
            if (finite)
                error += (gv - wv) * (gv - wv);
            else
                broken += !(gv != gv && wv != wv);
        }
        if (finite && w != (Bits)poison)
            norm += wv * wv;
    }
    if (different) {
        atomicAdd(&out[0], different);
        atomicAdd((double *)&out[2], error);
        atomicAdd(&out[4], broken);
    }
    for (int lane = 16; lane > 0; lane /= 2)
        norm += __shfl_xor_sync(0xffffffffu, norm, lane);
    if (threadIdx.x % 32 == 0)
        atomicAdd((double *)&out[3], norm);
}

// out: elements that differ, the first of them, sum of squared errors, sum of squared values
// (elements nobody wrote left out), elements of which just one is infinite or no number.
extern "C" __global__ void compare(const void *got, const void *want, u64 count, unsigned type, u64 poison,
                                   u64 *out)
{
    switch (type) {
    case F16: compare_as<_Float16, unsigned short>(got, want, count, poison, out); break;
    case F32: compare_as<float, unsigned>(got, want, count, poison, out); break;
    case F64: compare_as<double, u64>(got, want, count, poison, out); break;
    case I8: compare_as<signed char, unsigned char>(got, want, count, poison, out); break;
    case U8: compare_as<unsigned char, unsigned char>(got, want, count, poison, out); break;
    case I16: compare_as<short, unsigned short>(got, want, count, poison, out); break;
    case U16: compare_as<unsigned short, unsigned short>(got, want, count, poison, out); break;
    case I32: compare_as<int, unsigned>(got, want, count, poison, out); break;
    case U32: compare_as<unsigned, unsigned>(got, want, count, poison, out); break;
    case I64: compare_as<long long, u64>(got, want, count, poison, out); break;
    default: compare_as<u64, u64>(got, want, count, poison, out); break;
    }
}

// For the self-test: one wrong bit.
extern "C" __global__ void flip(unsigned char *bytes, u64 at)
{
    bytes[at] ^= 1;
}

// Reads and writes 64 bytes a thread, coalesced; arrays are a multiple of that.
extern "C" __global__ void copy(float4 *out, const float4 *in)
{
    u64 base = (u64)blockIdx.x * blockDim.x * 4 + threadIdx.x;
    float4 a = in[base], b = in[base + blockDim.x];
    float4 c = in[base + 2 * blockDim.x], d = in[base + 3 * blockDim.x];
    out[base] = a;
    out[base + blockDim.x] = b;
    out[base + 2 * blockDim.x] = c;
    out[base + 3 * blockDim.x] = d;
}

// 8 independent chains of 16 multiply-adds a round; the compiler cannot know that no sum is -1.
template <class T, class Step> __device__ void chains(T *out, int rounds, Step step)
{
    T x[8];
    for (int c = 0; c < 8; c++)
        x[c] = (T)(threadIdx.x + c);
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int u = 0; u < 16; u++)
#pragma unroll
            for (int c = 0; c < 8; c++)
                x[c] = step(x[c]);
    T sum = 0;
    for (int c = 0; c < 8; c++)
        sum += x[c];
    if (sum == (T)-1)
        *out = sum;
}

extern "C" __global__ void peak_f32(float *out, int rounds, float a, float b)
{
    chains<float>(out, rounds, [=](float x) { return __fmaf_rn(x, a, b); });
}

extern "C" __global__ void peak_f64(double *out, int rounds, double a, double b)
{
    chains<double>(out, rounds, [=](double x) { return __fma_rn(x, a, b); });
}

extern "C" __global__ void peak_i32(int *out, int rounds, int a, int b)
{
    chains<int>(out, rounds, [=](int x) { return x * a + b; });
}

// What a launch costs by itself.
extern "C" __global__ void nothing()
{
}

// Cycles and nanoseconds of a wait: the clock the chip runs at. Also the self-test's lost time.
extern "C" __global__ void wait_for(u64 *out, u64 nanoseconds)
{
    u64 start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    long long cycles = clock64();
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < nanoseconds);
    out[0] = clock64() - cycles;
    out[1] = now - start;
}
