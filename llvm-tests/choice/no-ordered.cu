// Loops that are not dealt out as they carry something in an order, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*are split" %t.remarks
// CHECK: yes{{.*}}: its loops are split, with their sums in order
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define LOOP for (int k = 0; k < n; k++)
#define PARAMETERS const float *a, float *s, int n
__global__ void yes(PARAMETERS) {
  int i = ID;
  float sum = 0;
  LOOP sum += a[i * n + k];
  s[i] = sum;
}
// Two sums take a product: whether it is fused with both is not known.
__global__ void no_shared_product(PARAMETERS) {
  int i = ID;
  float sum = 0, less = 1;
  LOOP {
    float p = a[i * n + k] * a[k];
    sum += p;
    less -= p;
  }
  s[i] = sum;
  s[i + n] = less;
}
// A product that one of two ways leads to may be fused on that way.
__global__ void no_product_by_ways(PARAMETERS, const float *c) {
  int i = ID;
  float sum = 0;
  LOOP {
    float p = a[i * n + k], q = c[i * n + k], r = p * q;
    sum += q > 0 ? r : p;
  }
  s[i] = sum;
}
// The product of an iteration may be fused with the sum of the next.
__global__ void no_fused(PARAMETERS) {
  int i = ID;
  float sum = 0;
  LOOP sum = (sum + a[i * n + k]) * a[k];
  s[i] = sum;
}
// Of two products that meet in a sum one is fused.
__global__ void no_two_products(PARAMETERS) {
  int i = ID;
  float sum = 0;
  LOOP sum = sum * 0.5f + a[i * n + k] * a[k];
  s[i] = sum;
}
// What was summed up decides.
__global__ void no_decision(PARAMETERS) {
  int i = ID;
  float sum = 0;
  LOOP if (sum < 1000) sum += s[k * n + i] / a[i * n + k];
  s[i] = sum;
}
// What was summed up decides where to look.
__global__ void no_place(const int *a, int *s, int n) {
  int i = ID, at = 0;
  LOOP at = a[at + k];
  s[i] = at;
}
// What the last iteration began with is used.
__global__ void no_last(PARAMETERS) {
  int i = ID;
  float sum = 0, last = 0;
  LOOP {
    last = sum;
    sum += a[i * n + k];
  }
  s[i] = sum / last;
}
// What an iteration loads is carried as it is.
__global__ void no_load(PARAMETERS) {
  int i = ID;
  float sum = 0, last = 0;
  LOOP {
    sum += a[i * n + k] - last;
    last = a[i * n + k];
  }
  s[i] = sum;
}
// A division may fault where a lane does it that the thread would not have.
__global__ void no_division(const int *a, int *s, int n) {
  int i = ID, sum = 1 << 30;
  LOOP sum = a[i * n + k] - sum / a[k];
  s[i] = sum;
}
// A loop in the loop adds up, too: it is too short to be dealt out, and its steps are many.
__global__ void no_inner(PARAMETERS) {
  int i = ID;
  float sum = 0;
  LOOP
#pragma clang loop unroll(disable)
    for (int j = 0; j < 7; j++)
      sum += a[(i * n + k) * 7 + j];
  s[i] = sum;
}
// Each step takes more than lanes can leave for it.
__global__ void no_many(PARAMETERS) {
  int i = ID;
  float x[9] = {};
  LOOP {
#pragma unroll
    for (int j = 0; j < 9; j++)
      x[j] += a[(i * n + k) * 9 + j];
  }
  float sum = 1;
#pragma unroll
  for (int j = 0; j < 9; j++)
    sum /= x[j];
  s[i] = sum;
}
// Numbers of 128 bits.
__global__ void no_wide(const long *a, long *s, int n) {
  int i = ID;
  unsigned __int128 sum = 1;
  LOOP sum = sum * 31 + a[i * n + k];
  s[i] = sum >> 64;
}
