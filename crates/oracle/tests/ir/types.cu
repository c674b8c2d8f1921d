// Integer widths, vectors, half precision, atomics of several types, a call that is not inlined.
#include <cuda_fp16.h>
struct Pair { long long a; short b; };
__device__ __noinline__ long long combine(Pair p, int k) { return p.a * k + p.b; }
extern "C" __global__ void types(const uchar4 *c, const short *s, const long long *l, const __half *h, float4 *v,
                                 int *i, float *f, double *d) {
  int t = threadIdx.x;
  uchar4 q = c[t];
  Pair p = {l[t], s[t]};
  long long r = combine(p, q.x) + (signed char)q.w;
  __half2 hh = __half2half2(h[t]);
  hh = __hfma2(hh, hh, __float2half2_rn(0.5f));
  v[t] = make_float4(__low2float(hh), __half2float(__hadd(h[t], h[t])), (float)(r % 1000), (float)__popcll(r));
  i[t] = (int)(r >> 3) ^ __byte_perm(t, 0x01020304, 0x5410) ^ __clz(t) ^ __brev(t) ^ __ffs(t) ^ __mulhi(t, 1 << 20);
  atomicAdd(f, 1.0f);
  atomicAdd(d, 0.25);
  atomicMin((int *)(i + 64), -t);
  atomicCAS((int *)(i + 65), 0, 7);
  atomicInc((unsigned *)(i + 66), 9);
  atomicExch((int *)(i + 67), 3);
}
