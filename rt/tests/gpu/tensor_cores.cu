// In which order a chip's tensor cores sum doubles up, by hand: `mma.m16n8k16` against sixteen `fma`, one after the other.
//
//   mesi nvcc -O3 -arch=sm_90 rt/tests/gpu/tensor_cores.cu -o tensor_cores && ./tensor_cores
//
// For each kind of numbers it prints how many sums were compared, how many differ, and, of those that are no NaN, how many differ if the products
// are summed up from the last one on, or each is rounded before it is added: what finds no difference must be able to find one.
// It ends with 1 if one differs. NaNs that differ do not count: which of two that meet lives on hangs on the order of factors. `src/transform/mma/` rests on this for sm_90 (docs/tensor-cores.md).
#include <cstdio>

typedef unsigned long long u64;
struct Counts { u64 all, differ, nan, nan_differ, reversed, rounded; };

__device__ u64 mixed(u64 z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

enum Kind { USUAL, WIDE, ANY_BITS, CANCELLING, TINY, INFINITE, NANS, HUGE_ONES, KINDS };
static const char *const names[KINDS] = {"-0.5 to 0.5", "40 binary orders", "any bits", "few values, cancelling", "near the least",
                                         "infinities among them", "NaNs among them", "near the greatest"};

__device__ double drawn(u64 seed, int kind) {
  u64 z = mixed(seed * 0x9e3779b97f4a7c15ull + 1), y = mixed(z + 77);
  u64 mantissa = z & 0xfffffffffffffull, sign = z >> 63 << 63;
  double usual = (double)(z >> 11) * 0x1p-53 - 0.5;
  auto made = [&](u64 exponent) { return __longlong_as_double(sign | exponent << 52 | mantissa); };
  switch (kind) {
  case WIDE: return made(1003 + y % 40);
  case ANY_BITS: return __longlong_as_double(z);
  case CANCELLING: {
    const double values[8] = {1, -1, 0x1p53, -0x1p53, 0x1p-53, 1 + 0x1p-52, -0.0, 3};
    return values[z % 8];
  }
  case TINY: return made(y % 3 == 0 ? 0 : 482 + y % 40);
  case INFINITE: return y % 24 ? usual : __longlong_as_double(sign | 0x7ff0000000000000ull);
  case NANS: return y % 24 ? usual : __longlong_as_double(sign | 0x7ff0000000000000ull | mantissa | 1);
  case HUGE_ONES: return made(1532 + y % 6);
  default: return usual;
  }
}

__device__ u64 bits(double x) { return (u64)__double_as_longlong(x); }

// A warp's product; its operands as the PTX manual deals them out.
__global__ void compare(u64 seed, int kind, Counts *counts) {
  int lane = threadIdx.x % 32, group = lane / 4, quarter = lane % 4;
  u64 base = (seed + blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 4096;
  auto a = [&](int row, int k) { return drawn(base + row * 16 + k, kind); };
  auto b = [&](int k, int column) { return drawn(base + 1024 + k * 16 + column, kind); };
  auto c = [&](int row, int column) { return drawn(base + 2048 + row * 16 + column, kind); };
  double x[8], y[4], sum[4];
  for (int i = 0; i < 8; i++) x[i] = a(group + i % 2 * 8, i / 2 * 4 + quarter);
  for (int i = 0; i < 4; i++) y[i] = b(i * 4 + quarter, group);
  for (int i = 0; i < 4; i++) sum[i] = c(group + i / 2 * 8, 2 * quarter + i % 2);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%0,%1,%2,%3};"
               : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
               : "d"(x[0]), "d"(x[1]), "d"(x[2]), "d"(x[3]), "d"(x[4]), "d"(x[5]), "d"(x[6]), "d"(x[7]), "d"(y[0]), "d"(y[1]), "d"(y[2]), "d"(y[3]));
  for (int i = 0; i < 4; i++) {
    int row = group + i / 2 * 8, column = 2 * quarter + i % 2;
    double begin = c(row, column), forth = begin, back = begin, apart = begin;
    for (int k = 0; k < 16; k++) {
      forth = __fma_rn(a(row, k), b(k, column), forth);
      back = __fma_rn(a(row, 15 - k), b(15 - k, column), back);
      apart = __dadd_rn(__dmul_rn(a(row, k), b(k, column)), apart);
    }
    bool is_nan = forth != forth, differs = bits(forth) != bits(sum[i]);
    atomicAdd(&counts->all, 1);
    atomicAdd(&counts->nan, is_nan);
    atomicAdd(&counts->differ, differs && !is_nan);
    atomicAdd(&counts->nan_differ, differs && is_nan);
    atomicAdd(&counts->reversed, back == back && bits(back) != bits(sum[i]));
    atomicAdd(&counts->rounded, apart == apart && bits(apart) != bits(sum[i]));
  }
}

int main() {
  Counts *counts;
  if (cudaMallocManaged(&counts, sizeof *counts) != cudaSuccess)
    return 2;
  u64 wrong = 0;
  for (int kind = 0; kind < KINDS; kind++) {
    *counts = {};
    for (int round = 0; round < 10; round++)
      compare<<<4000, 128>>>(1000003ull * round + kind * 777777777ull, kind, counts);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 2;
    printf("%s: %llu sums, %llu differ; %llu NaNs, %llu differ; from the last one on %llu differ, each rounded before %llu\n", names[kind], counts->all,
           counts->differ, counts->nan, counts->nan_differ, counts->reversed, counts->rounded);
    wrong += counts->differ;
  }
  return wrong != 0;
}
