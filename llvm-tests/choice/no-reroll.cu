// Loops that are not rolled up, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*rolled up" %t.remarks && %not grep -q "mesi.copy" %t.ll
// CHECK: yes{{.*}}: loops that were unrolled by hand, 2 times, are rolled up
#define ROW                                                                                                                                          \
  int row = blockIdx.x * blockDim.x + threadIdx.x;                                                                                                   \
  if (row >= m)                                                                                                                                      \
    return;                                                                                                                                          \
  float s = 0;                                                                                                                                       \
  int i = 0;
#define REST                                                                                                                                         \
  for (; i < n; i++)                                                                                                                                 \
    s += a[row * n + i];
#define PARAMETERS const float *a, float *sums, int m, int n
__global__ void yes(PARAMETERS) {
  ROW for (; i + 2 <= n; i += 2) { s += a[row * n + i]; s += a[row * n + i + 1]; }
  REST sums[row] = s;
}
// The sum has another order.
__global__ void no_order(PARAMETERS) {
  ROW for (; i + 2 <= n; i += 2) s += a[row * n + i] + a[row * n + i + 1];
  REST sums[row] = s;
}
__global__ void no_turn(PARAMETERS) {
  ROW for (; i + 2 <= n; i += 2) { s += a[row * n + i + 1]; s += a[row * n + i]; }
  REST sums[row] = s;
}
// Several sums, joined behind the loop.
__global__ void no_sums(PARAMETERS) {
  ROW float t = 0;
  for (; i + 2 <= n; i += 2) { s += a[row * n + i]; t += a[row * n + i + 1]; }
  s += t;
  REST sums[row] = s;
}
// Another element.
__global__ void no_element(PARAMETERS) {
  ROW for (; i + 2 <= n; i += 2) { s += a[row * n + i]; s += a[row * n + i + 2]; }
  REST sums[row] = s;
}
// Another operation, once.
__global__ void no_operation(PARAMETERS) {
  ROW for (; i + 2 <= n; i += 2) { s += a[row * n + i]; s -= a[row * n + i + 1]; }
  REST sums[row] = s;
}
// Elements are left out.
__global__ void no_step(PARAMETERS) {
  ROW for (; i + 3 <= n; i += 3) { s += a[row * n + i]; s += a[row * n + i + 1]; }
  REST sums[row] = s;
}
// It goes beyond the limit, and another limit.
__global__ void no_limit(PARAMETERS) {
  ROW for (; i + 1 <= n; i += 2) { s += a[row * n + i]; s += a[row * n + i + 1]; }
  REST sums[row] = s;
}
__global__ void no_other_limit(PARAMETERS) {
  ROW for (; i + 2 <= m; i += 2) { s += a[row * n + i]; s += a[row * n + i + 1]; }
  REST sums[row] = s;
}
// Something is written.
__global__ void no_store(PARAMETERS) {
  ROW for (; i + 2 <= n; i += 2) { s += a[row * n + i]; s += a[row * n + i + 1]; sums[m + i] = s; }
  REST sums[row] = s;
}
// What the first loop found is looked at.
__global__ void no_use(PARAMETERS) {
  ROW for (; i + 2 <= n; i += 2) { s += a[row * n + i]; s += a[row * n + i + 1]; }
  float t = s;
  REST sums[row] = s;
  sums[row + m] = t;
}
__global__ void no_count(PARAMETERS) {
  ROW for (; i + 2 <= n; i += 2) { s += a[row * n + i]; s += a[row * n + i + 1]; }
  int j = i;
  REST sums[row] = s + j;
}
// It may change meanwhile.
__global__ void no_volatile(const volatile float *a, float *sums, int m, int n) {
  ROW for (; i + 2 <= n; i += 2) { s += a[row * n + i]; s += a[row * n + i + 1]; }
  REST sums[row] = s;
}
// The rest is nothing of the kind.
__global__ void no_rest(PARAMETERS) {
  ROW for (; i + 2 <= n; i += 2) { s += a[row * n + i]; s += a[row * n + i + 1]; }
  if (i < n)
    s += a[row * n + i];
  sums[row] = s;
}
// A product and its sum stand in blocks that would become one, and be fused there.
__global__ void no_blocks(PARAMETERS) {
  ROW float p = sums[row] * a[row];
  for (; i + 2 <= n; i += 2) { s += a[row * n + i]; s += a[row * n + i + 1]; }
  REST sums[row] = s + p;
}
// What is widened is a value, too: nothing says that the rest's sum fits 32 bits where the first loop has it in 64.
__global__ void no_value(const int *a, long long *sums, int m, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  long long s = 0;
  int i = 0;
  for (; i + 2 <= n; i += 2) { s += a[row * n + i] * (long long)(i + k); s += a[row * n + i + 1] * ((long long)(i + k) + 1); }
  for (; i < n; i++)
    s += a[row * n + i] * (long long)(i + k);
  sums[row] = s;
}
// Iterations branch in different ways.
#define BRANCH(CONDITION, I)                                                                                                                         \
  if (CONDITION)                                                                                                                                     \
    s += a[row * n + (I)] * b[I];
#define BRANCHES const float *a, const float *b, float *sums, int m, int n
__global__ void no_condition(BRANCHES) {
  ROW for (; i + 2 <= n; i += 2) { BRANCH(a[row * n + i] > 0, i) BRANCH(a[row * n + i + 1] >= 0, i + 1) }
  for (; i < n; i++)
    BRANCH(a[row * n + i] > 0, i)
  sums[row] = s;
}
__global__ void no_turned_condition(BRANCHES) {
  ROW for (; i + 2 <= n; i += 2) { BRANCH(a[row * n + i] > 0, i) BRANCH(!(a[row * n + i + 1] > 0), i + 1) }
  for (; i < n; i++)
    BRANCH(a[row * n + i] > 0, i)
  sums[row] = s;
}
// The second iteration is skipped with the first.
__global__ void no_nest(BRANCHES) {
  ROW for (; i + 2 <= n; i += 2) if (a[row * n + i] > 0) { s += a[row * n + i] * b[i]; BRANCH(a[row * n + i + 1] > 0, i + 1) }
  for (; i < n; i++)
    BRANCH(a[row * n + i] > 0, i)
  sums[row] = s;
}
// It is left in the middle.
__global__ void no_break(BRANCHES) {
  ROW for (; i + 2 <= n; i += 2) {
    s += a[row * n + i] * b[i];
    if (s > 9)
      break;
    s += a[row * n + i + 1] * b[i + 1];
  }
  for (; i < n; i++)
    s += a[row * n + i] * b[i];
  sums[row] = s;
}
// A limit of 32 bits, compared as if it had 64.
__global__ void no_wide_limit(const float *a, float *sums, int m, unsigned n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m)
    return;
  float s = 0;
  long long i = 0;
  for (; i + 2 <= (int)n; i += 2) { s += a[row * n + i]; s += a[row * n + i + 1]; }
  for (; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
