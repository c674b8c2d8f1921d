// What nvcc accepts and clang needs mesi/nvcc.h for. The host's half prints what it computes.
#include <cstdio>

__global__ void hints(float *p, float *q)
{
    __stcg(q, __ldca(p) + __ldlu(p + 1));
    __stcs(q + 1, __tanhf(*p));
    __stwb(q + 2, __ldcg(p) + __ldcs(p));
}

__global__ void atomics(int *a, float *f, unsigned long long *u)
{
    __nv_atomic_fetch_add(a, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_max(a, 5, __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_add(f, 1.0f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_exchange_n(u, 3, __NV_ATOMIC_SEQ_CST);
    __nv_atomic_store_n(a, __nv_atomic_load_n(a, __NV_ATOMIC_ACQUIRE), __NV_ATOMIC_RELEASE);
    int expected = 3;
    __nv_atomic_compare_exchange_n(a, &expected, 4, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED);
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST);
    *u = clock() + clock64();
}

#if !__CUDACC__ || __CUDACC_VER_MAJOR__ < 12
#error "the version is not told"
#endif

int main()
{
    size_t size = 3;
    printf("%d %g %g %u %zu %lld\n", min(1, 2), max(1.0f, 2.0f), min(1.0, 2.0f), max(1, 2u), min(size, (size_t)4),
           max(3ll, 4ll));
    printf("%g %g %d\n", rsqrtf(4.0f), min(NAN, 1.0f), time(NULL) > 0 && clock() >= 0 && INT_MAX > 0);
}
