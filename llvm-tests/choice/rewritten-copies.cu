// What a kernel cannot be written as, its copy may be: the host makes the copy's launch of the program's, and the version's of that.
// REQUIRES: cuda
// RUN: %clang -O2 -DCHIP=90 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// What becomes of the copy becomes of the kernel: nothing else is said of it.
// RUN: %not grep -E "flat: its product stays" %t.remarks
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:*=3 %t.exe | %FileCheck %s -check-prefix=LARGE
// RUN: env MESI_CHOICE=pin:*=4 %t.exe | %FileCheck %s -check-prefix=SMALL
// RUN: env MESI_CHOICE=pin:*=2 %t.exe | %FileCheck %s -check-prefix=SECOND
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
extern "C" int printf(const char *, ...);

// REMARK: flat: its product is worked out in blocks of another shape: tiles of 128 x 128, {{.*}} lines of f32 along the sum by y, {{.*}} lines of f32 across the sum by x
// PLAN-LABEL: plan of flat
// PLAN: split: a warp for each thread
// PLAN-NEXT: no mma: threads may have to do with each other
// PLAN: folded: rows of n, m*n of them
// PLAN-LABEL: plan of flat$mesi$copy
// PLAN: merge 4x4x1 blocks
// PLAN: mma: tiles of 128 x 128, m lines of f32 along the sum by y, n lines of f32 across the sum by x
// PLAN-NEXT: mma: tiles of 64 x 64, m lines of f32 along the sum by y, n lines of f32 across the sum by x
// The first step leaves blocks of up to 32 x 8; the second asks that launch, with its facts, and makes tiles of it.
// GATE-LABEL: define zeroext i1 @"flat$mesi$2$fold$gate"(ptr %0, ptr %1)
// GATE: [[FIRST:%[0-9]+]] = load i32, ptr %1
// GATE-NEXT: [[X:%[0-9]+]] = zext i32 [[FIRST]] to i64
// GATE: [[ALONG:%[0-9]+]] = select i1 [[FOLDS:%[0-9]+]], i64 {{%[0-9]+}}, i64 [[X]]
// GATE: trunc i64 [[ALONG]] to i32
// GATE-NEXT: store i32 {{.*}}, ptr %1
// GATE: load i32, ptr %1
// GATE: freeze i1
// GATE: add i64 {{%[0-9]+}}, 127
// GATE: and i1 [[FOLDS]],
// GATE: select i1 [[IS:%[0-9]+]], i64 256, i64
// GATE: store i32 {{.*}}, ptr %1
// GATE: ret i1 [[IS]]
// What the kernel did with its id the copy does with two; the version runs the copy's code for each element.
// CODE-LABEL: define {{.*}} @"flat$mesi$2"(
// CODE-NEXT: mma:
// CODE: mma.head:
// CODE: mma.element:
// CODE: {{^}}fold:
extern "C" __global__ void flat(const float *a, const float *b, float *c, int m, int n, int k) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= m * n)
    return;
  int row = id / n, col = id % n;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[id] = s;
}

// Columns one after the other, bytes: the copy's axes are exchanged, too. What gains in few threads comes before.
// REMARK: bytes: its product is for tensor cores: tiles of 128 x 128, {{.*}} lines of s8 along the sum by y, {{.*}} lines of u8 across the sum by x
// PLAN-LABEL: plan of bytes
// PLAN: split: a warp for each thread
// PLAN: folded: rows of m, m*n of them
// PLAN: permuted: threads of a warp follow one another along y, rows along x
// PLAN-LABEL: plan of bytes$mesi$copy
// PLAN: mma: tiles of 128 x 128, m lines of s8 along the sum by y, n lines of u8 across the sum by x
extern "C" __global__ void bytes(const signed char *a, const unsigned char *b, int *c, int m, int n, int k) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= m * n)
    return;
  int row = id % m, col = id / m, s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}

// REMARK: doubles: its product is for tensor cores: tiles of 64 x 128, {{.*}} lines of f64 along the sum by y, {{.*}} lines of f64 across the sum by x
// PLAN-LABEL: plan of doubles$mesi$copy
// PLAN: mma: tiles of 64 x 128, m lines of f64 along the sum by y, n lines of f64 across the sum by x
// PLAN-NEXT: mma: tiles of 32 x 64, m lines of f64 along the sum by y, n lines of f64 across the sum by x
extern "C" __global__ void doubles(const double *a, const double *b, double *c, size_t m, size_t n, size_t k) {
  size_t id = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = id / n, col = id % n;
  if (row < m) {
    double s = 0;
    for (size_t i = 0; i < k; i++)
      s += a[row * k + i] * b[i * n + col];
    c[row * n + col] = s;
  }
}

// Elements of a loop are threads, whose ids are taken apart: whatever the program's grid is.
// PLAN-LABEL: plan of stride
// PLAN: spread: a thread for each of m*n elements
// PLAN: folded: rows of n, m*n of them
// PLAN-LABEL: plan of stride$mesi$copy
// PLAN: mma: tiles of 128 x 128, m lines of f32
extern "C" __global__ void stride(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < m * n; id += gridDim.x * blockDim.x) {
    int row = id / n, col = id % n;
    float s = 0;
    for (int i = 0; i < k; i++)
      s += a[row * k + i] * b[i * n + col];
    c[id] = s;
  }
}

// A copy that is launched as the kernel is: the version's launch is made of the program's.
// PLAN-LABEL: plan of unrolled
// PLAN: rerolled: loops that were unrolled by hand, 2 times, are rolled up
// PLAN-LABEL: plan of unrolled$mesi$copy
// PLAN: mma: tiles of 128 x 128, m lines of f32
extern "C" __global__ void unrolled(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float s = 0;
  int i = 0;
  for (; i + 2 <= k; i += 2) {
    s += a[row * k + i] * b[i * n + col];
    s += a[row * k + i + 1] * b[(i + 1) * n + col];
  }
  for (; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}

// Rows, unrolled: split loops have no facts of their own, but the copy has.
// PLAN-LABEL: plan of rows
// PLAN-NOT: split:
// PLAN: rerolled: loops that were unrolled by hand, 2 times, are rolled up
// PLAN-LABEL: plan of rows$mesi$copy
// PLAN: split: a warp for each thread, 1 loop with 1 accumulator
// GATE-LABEL: define zeroext i1 @"rows$mesi$1$fold$gate"
// GATE: icmp sle i64 {{%[0-9]+}}, 2147483645
extern "C" __global__ void rows(const int *__restrict__ a, int *__restrict__ sums, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = 0, s = 0;
  if (i >= m)
    return;
  for (; j + 2 <= n; j += 2) {
    s += a[(long)i * n + j];
    s += a[(long)i * n + j + 1];
  }
  for (; j < n; j++)
    s += a[(long)i * n + j];
  sums[i] = s;
}

// The surface of a volume, by flattened ids: of the copy's blocks those that are empty are told. The list is one parameter more.
// REMARK: surface: its grids can be trimmed: guards tell blocks apart along x, y, z
// PLAN-LABEL: plan of surface
// PLAN: no trim:
// PLAN: folded: rows of n, planes of n rows, n*n*n of them
// PLAN-LABEL: plan of surface$mesi$copy
// PLAN: trim: guards tell blocks apart along x, y, z
// CODE-LABEL: define {{.*}} @"surface$mesi$1"(ptr {{.*}}, i32 {{.*}}, float {{.*}}, ptr byval([39 x i32]) align 4 %{{[0-9a-z]+}})
extern "C" __global__ void surface(float *a, int n, float v) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n * n * n)
    return;
  int x = id % n, y = id / n % n, z = id / (n * n);
  if (x == 0 || x == n - 1 || y == 0 || y == n - 1 || z == 0 || z == n - 1)
    a[id] = v;
}

int main() {
  float *p = 0;
  // LARGE: grid 8 4 1 block 256 1 1 shared 0: flat$mesi$2
  // SMALL: grid 16 8 1 block 128 1 1 shared 0: flat$mesi$3
  flat<<<2048, 256>>>(p, p + (1 << 20), p + (2 << 20), 512, 1024, 512);
  // Tiles in part, and threads of no use.
  // LARGE: grid 2 3 1 block 256 1 1 shared 0: flat$mesi$2
  // SMALL: grid 3 5 1 block 128 1 1 shared 0: flat$mesi$3
  flat<<<9999, 33>>>(p, p + (1 << 20), p + (2 << 20), 300, 129, 77);
  // Fewer threads than are of use, rows too short for the copy, blocks of two dimensions: there is no launch of the copy.
  // LARGE: grid 1023 1 1 block 256 1 1 shared 0: flat{{$}}
  flat<<<1023, 256>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 512);
  // LARGE: grid 1024 1 1 block 256 1 1 shared 0: flat{{$}}
  flat<<<1024, 256>>>(p, p + (1 << 20), p + (2 << 20), 512, 7, 512);
  // LARGE: grid 1024 1 1 block 16 16 1 shared 0: flat{{$}}
  flat<<<1024, dim3(16, 16)>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 512);
  // Nothing to sum up, or a result that meets an operand: there is none of the version.
  // LARGE: grid 1024 1 1 block 256 1 1 shared 0: flat{{$}}
  flat<<<1024, 256>>>(p, p + (1 << 20), p + (2 << 20), 512, 512, 0);
  // LARGE: grid 64 1 1 block 256 1 1 shared 0: flat{{$}}
  flat<<<64, 256>>>(p, p + (1 << 20), p + 128 * 77 - 1, 128, 128, 77);
  // LARGE: grid 1 1 1 block 256 1 1 shared 0: flat$mesi$2
  flat<<<64, 256>>>(p, p + (1 << 20), p + 128 * 77, 128, 128, 77);
  signed char *s = 0;
  // LARGE: grid 8 4 1 block 256 1 1 shared 0: bytes$mesi$2
  bytes<<<2048, 256>>>(s, (unsigned char *)s + (1 << 22), (int *)s + (1 << 22), 512, 1024, 512);
  double *d = 0;
  // LARGE: grid 8 8 1 block 128 1 1 shared 0: doubles$mesi$2
  // SMALL: grid 16 16 1 block 64 1 1 shared 0: doubles$mesi$3
  doubles<<<2048, 256>>>(d, d + (1 << 22), d + (2 << 22), 512, 1024, 512);
  // LARGE: grid 8 4 1 block 256 1 1 shared 0: stride$mesi$2
  stride<<<16, 256>>>(p, p + (1 << 20), p + (2 << 20), 512, 1024, 512);
  // LARGE: grid 8 4 1 block 256 1 1 shared 0: unrolled$mesi$2
  unrolled<<<dim3(64, 32), dim3(16, 16)>>>(p, p + (1 << 20), p + (2 << 20), 512, 1024, 512);
  // SECOND: grid 128 1 1 block 256 1 1 shared 0: rows$mesi$1
  rows<<<4, 256>>>((int *)p, (int *)p + (1 << 28), 1000, 512);
  // A loop that is rolled up must end below 2^31 by two.
  // SECOND: grid {{.*}}: rows{{$}}
  rows<<<4, 256>>>((int *)p, (int *)p + (1l << 42), 1000, 2147483646);
  // SECOND: grid 49856 1 1 block 32 8 1 shared 0: surface$mesi$1
  surface<<<250000, 256>>>(p, 400, 1);
}
