// What nvcc accepts and clang 22 does not, as far as a header can say it.
//
// `mesi nvcc` includes this file before every CUDA file. It stands alone: with clang as it is,
// write `clang++ -include mesi/nvcc.h ... file.cu`. For files of other languages it is empty.
//
// It defines no macro that CCCL (Thrust, CUB, libcu++) takes for a compiler's mark. __NVCC__ is
// one, so it is only defined with -DMESI_AS_NVCC, after CCCL has made up its mind.

#pragma once

#if defined(__clang__) && defined(__CUDA__) && defined(__cplusplus)

// nvcc's front end has read these before the first line of a program.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include <cuda.h>

// ---- Which CUDA this is. clang says so only by CUDA_VERSION.

#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

// In front of headers that use them: what libstdc++ calls where a bound is broken, from functions that -expt-relaxed-constexpr gives to the device, too.
#if __has_include(<bits/functexcept.h>)
#include <bits/functexcept.h>
#pragma push_macro("MESI_STOPS")
#define MESI_STOPS __attribute__((device, noreturn, unused)) static inline void
namespace std {
MESI_STOPS __throw_out_of_range_fmt(const char *, ...) { __builtin_trap(); }
MESI_STOPS __throw_out_of_range(const char *) { __builtin_trap(); }
MESI_STOPS __throw_length_error(const char *) { __builtin_trap(); }
MESI_STOPS __throw_logic_error(const char *) { __builtin_trap(); }
MESI_STOPS __throw_invalid_argument(const char *) { __builtin_trap(); }
MESI_STOPS __throw_bad_alloc() { __builtin_trap(); }
MESI_STOPS __throw_bad_array_new_length() { __builtin_trap(); }
} // namespace std
#undef MESI_STOPS
#pragma pop_macro("MESI_STOPS")
#endif

// With -extended-lambda cuda_runtime.h includes <functional>, in front of what clang's own header says of `new` in device code where the macro is given on the
// command line: every `new` and `delete` of a kernel is refused then.
#ifdef MESI_EXTENDED_LAMBDA
#include <functional>
#define __CUDACC_EXTENDED_LAMBDA__ 1
#endif

// nvcc defines it as 1 and clang as nothing, which no program that writes `#if __CUDACC__` survives.
#undef __CUDACC__
#define __CUDACC__ 1

// clang ignores this attribute, with a warning, and makes an ordinary variable of the host's, which no kernel may touch.
// So it is an error here, and `mesi nvcc` has nvcc compile the file.
#undef __managed__
#define __managed__ _Pragma("GCC error \"clang has no __managed__ variables\"")

// clang has what clusters of blocks need; cooperative_groups.h has to be told.
#define _CG_CLUSTER_INTRINSICS_AVAILABLE 1

#ifdef MESI_AS_NVCC
#if __has_include(<nv/target>)
#include <nv/target>
#endif
#if __has_include(<cuda/std/__cccl/compiler.h>)
#include <cuda/std/__cccl/compiler.h>
#endif
#define __NVCC__ 1
#endif

// Of names that programs give on the command line cuda.h, which nvcc does not read, has one for parameters.
#ifdef MESI_N
#define N MESI_N
#endif

// A class with a pure virtual function has a table that names it.
extern "C" __attribute__((device, noreturn)) inline void __cxa_pure_virtual(void) { __builtin_trap(); }
extern "C" __attribute__((device, noreturn)) inline void __cxa_deleted_virtual(void) { __builtin_trap(); }

#pragma push_macro("MESI_HOST")
#pragma push_macro("MESI_DEVICE")
#define MESI_HOST static inline __attribute__((host, always_inline, unused))
#define MESI_DEVICE static inline __attribute__((device, always_inline, unused))

// ---- Functions of the host: nvcc has CUDA's arithmetic on both sides.

#pragma push_macro("MESI_LEAST")
#define MESI_LEAST(R, A, B)                                                                                           \
    MESI_HOST R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                                                   \
    MESI_HOST R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
#pragma push_macro("MESI_SIGNS")
#define MESI_SIGNS(T)                                                                                                 \
    MESI_LEAST(T, T, T)                                                                                               \
    MESI_LEAST(unsigned T, unsigned T, unsigned T)                                                                    \
    MESI_LEAST(unsigned T, T, unsigned T)                                                                             \
    MESI_LEAST(unsigned T, unsigned T, T)

MESI_SIGNS(int)
MESI_SIGNS(long)
MESI_SIGNS(long long)
MESI_LEAST(double, float, double)
MESI_LEAST(double, double, float)
// fminf and its kin return the number where the other side is none.
MESI_HOST float min(float a, float b) { return fminf(a, b); }
MESI_HOST float max(float a, float b) { return fmaxf(a, b); }
MESI_HOST double min(double a, double b) { return fmin(a, b); }
MESI_HOST double max(double a, double b) { return fmax(a, b); }

#pragma pop_macro("MESI_SIGNS")
#pragma pop_macro("MESI_LEAST")

// ---- Loads and stores with hints. A hint changes no value, so where clang has none it is left
// out; __ldcg, __ldcs and __ldcv, on which programs build agreement between blocks, clang has.

template <class T> MESI_DEVICE T __ldca(const T *p) { return *p; }
template <class T> MESI_DEVICE T __ldlu(const T *p) { return *p; }
template <class T> MESI_DEVICE void __stwb(T *p, T value) { *p = value; }
template <class T> MESI_DEVICE void __stcg(T *p, T value) { *p = value; }
template <class T> MESI_DEVICE void __stcs(T *p, T value) { *p = value; }

// ---- One function that clang declares and does not have.

MESI_DEVICE float __tanhf(float x)
{
    float y;
    asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// ---- Atomics by order and scope, as CUDA 12.8 and later have them built in.

#ifndef __NV_ATOMIC_RELAXED
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

// Every scope is taken as the whole system's: no program can tell, but by its time.
#pragma push_macro("MESI_FETCH")
#define MESI_FETCH(NAME)                                                                                              \
    template <class T, class V> MESI_DEVICE T __nv_atomic_fetch_##NAME(T *p, V v, int order, int = 4)                 \
    {                                                                                                                 \
        return __atomic_fetch_##NAME(p, (T)v, order);                                                                 \
    }
MESI_FETCH(add)
MESI_FETCH(sub)
MESI_FETCH(and)
MESI_FETCH(or)
MESI_FETCH(xor)
MESI_FETCH(min)
MESI_FETCH(max)
#pragma pop_macro("MESI_FETCH")

template <class T> MESI_DEVICE T __nv_atomic_load_n(const T *p, int order, int = 4) { return __atomic_load_n(p, order); }
template <class T> MESI_DEVICE void __nv_atomic_load(const T *p, T *to, int order, int = 4) { __atomic_load(p, to, order); }
template <class T, class V> MESI_DEVICE void __nv_atomic_store_n(T *p, V v, int order, int = 4)
{
    __atomic_store_n(p, (T)v, order);
}
template <class T> MESI_DEVICE void __nv_atomic_store(T *p, T *from, int order, int = 4) { __atomic_store(p, from, order); }
template <class T, class V> MESI_DEVICE T __nv_atomic_exchange_n(T *p, V v, int order, int = 4)
{
    return __atomic_exchange_n(p, (T)v, order);
}
template <class T> MESI_DEVICE void __nv_atomic_exchange(T *p, T *from, T *to, int order, int = 4)
{
    __atomic_exchange(p, from, to, order);
}
template <class T, class V>
MESI_DEVICE bool __nv_atomic_compare_exchange_n(T *p, T *expected, V v, bool weak, int good, int bad, int = 4)
{
    return __atomic_compare_exchange_n(p, expected, (T)v, weak, good, bad);
}
template <class T>
MESI_DEVICE bool __nv_atomic_compare_exchange(T *p, T *expected, T *v, bool weak, int good, int bad, int = 4)
{
    return __atomic_compare_exchange(p, expected, v, weak, good, bad);
}
MESI_DEVICE void __nv_atomic_thread_fence(int, int = 4) { __threadfence_system(); }
#endif

#pragma pop_macro("MESI_DEVICE")
#pragma pop_macro("MESI_HOST")

#endif
