// Products that are not for tensor cores, or of floats not for blocks of another shape, each for one reason.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -emit-llvm -S %s -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.remarks
// RUN: %not grep -qE "remark: no_.*product is (for tensor cores|worked out)" %t.remarks
// RUN: %clang %cuda-flags -DFEW --cuda-gpu-arch=sm_75 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -mllvm -mesi-kernels=1 -emit-llvm -S %s -o %t.old.ll 2>&1 | %FileCheck %s -check-prefix=OLD
// RUN: %clang %cuda-flags -DFEW --cuda-gpu-arch=sm_90 --cuda-device-only -fgpu-rdc -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -mllvm -mesi-kernels=1 -emit-llvm -S %s -o %t.rdc.ll 2>&1 | %FileCheck %s -check-prefix=RDC
// RUN: %clang %cuda-flags -DFEW --cuda-gpu-arch=sm_90 --cuda-device-only -ffast-math -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -mllvm -mesi-kernels=1 -emit-llvm -S %s -o %t.fast.ll 2>&1 | %FileCheck %s -check-prefix=FAST
// RUN: %clang %cuda-flags -DFEW --cuda-gpu-arch=sm_100 --cuda-device-only -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -mllvm -mesi-kernels=1 -emit-llvm -S %s -o %t.new.ll 2>&1 | %FileCheck %s -check-prefix=NEW
// RUN: %clang %cuda-flags -DFEW --cuda-gpu-arch=sm_90 --cuda-device-only -mllvm -nvptx-fma-level=2 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -mllvm -mesi-kernels=1 -emit-llvm -S %s -o %t.level.ll 2>&1 | %FileCheck %s -check-prefix=LEVEL
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -ffp-contract=off -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -mllvm -mesi-kernels=1 -emit-llvm -S %s -o %t.off.ll 2> %t.off && %not grep -qE "remark: .*(doubles|floats).*product is" %t.off
// Which way a product is fused, or in which order a chip's tensor cores sum up, must be known.
// NEW: yes{{.*}}: its product is for tensor cores
// NEW: doubles{{.*}}: its product is not for tensor cores: in which order the chip's tensor cores sum doubles up is not known (of sm_90 it is)
// LEVEL: yes{{.*}}: its product is for tensor cores
// LEVEL: doubles{{.*}}: its product is not for tensor cores: real numbers might be worked out in another way without the loop
// LEVEL: {{(^|[^_])}}floats{{.*}}: its product stays in the program's blocks: real numbers might be worked out in another way without the loop
// OLD: yes{{.*}}: its product is not for tensor cores: the chip's tensor cores have no products of bytes (sm_80 and later have)
// OLD-NOT: product is for tensor cores
// OLD: {{(^|[^_])}}floats{{.*}}: its product stays in the program's blocks: the chip has no asynchronous copies (sm_80 and later have)
// RDC: yes{{.*}}: its product is for tensor cores
// RDC: several{{.*}}: its product is not for tensor cores: other files may have the kernel
// FAST: yes{{.*}}: its product is for tensor cores
// FAST: scaled{{.*}}: its product is not for tensor cores: real numbers might be worked out in another way without the loop
// CHECK: yes{{.*}}: its product is for tensor cores: tiles of 128 x 128,
#define ROW int row = blockIdx.y * blockDim.y + threadIdx.y
#define COL int col = blockIdx.x * blockDim.x + threadIdx.x
#define LOOP for (int i = 0; i < k; i++)
#define PARAMETERS const signed char *a, const signed char *b, int *c, int m, int n, int k
#define IS __global__ void
IS yes(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// Real numbers outside the loop are what they were; with -ffast-math LLVM may work them out in another way.
// CHECK: scaled{{.*}}: its product is for tensor cores
IS scaled(PARAMETERS, float *y, float w) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    y[row * n + col] = sum * w + 1;
  }
}
#ifndef FEW // Of the runs for other chips and modes.
// CHECK: no_neighbour{{.*}}: threads may have to do with each other, or ask for more than their ids along x and y
IS no_neighbour(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = threadIdx.x;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK: no_barrier{{.*}}: threads may have to do with each other, or
IS no_barrier(PARAMETERS) {
  ROW; COL;
  int sum = 0;
  LOOP sum += a[row * k + i] * b[i * n + col];
  __syncthreads();
  c[row * n + col] = sum;
}
// Which layer of the grid a block is in may be asked, which column of it may not.
// CHECK: no_columns{{.*}}: threads may have to do with each other, or
IS no_columns(PARAMETERS) {
  ROW; COL;
  a += blockIdx.x / 2 * m * k;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK: no_room{{.*}}: its launch bounds leave no room for a block of such a version
IS __launch_bounds__(128) no_room(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// A product and its sum have the loop between them: without it they stand in one block, and might be fused.
// CHECK: no_fused{{.*}}: real numbers might be worked out in another way without the loop
IS no_fused(PARAMETERS, float *y, float w) {
  ROW; COL;
  float scaled = w * row;
  y[row * n + col] = scaled;
  int sum = 0;
  LOOP sum += a[row * k + i] * b[i * n + col];
  y[row * n + col + m * n] = scaled + sum;
}
// What a sum begins with is worked out once more, so nothing else may be done on the way.
// CHECK: no_begin{{.*}}: in front of the loop more is done than to work out what the sum begins with
IS no_begin(const float *a, const float *b, float *c, float *before, int m, int n, int k) {
  ROW; COL;
  if (row < m && col < n) {
    float sum = c[row * n + col];
    before[row * n + col] = sum;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK: no_more{{.*}}: the loop does more than sum up products
IS no_more(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0, least = 0;
    LOOP {
      sum += a[row * k + i] * b[i * n + col];
      least = min(least, a[row * k + i]);
    }
    c[row * n + col] = sum + least;
  }
}
// CHECK: no_store{{.*}}: the loop does more than sum up products
IS no_store(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP {
      c[i] = 1;
      sum += a[row * k + i] * b[i * n + col];
    }
    c[row * n + col] = sum;
  }
}
// A batch that one thread goes through.
// CHECK: no_inner{{.*}}: the loop does more than sum up products
IS no_inner(PARAMETERS, int batch) {
  ROW; COL;
  if (row < m && col < n)
    for (int j = 0; j < batch; j++) {
      int sum = 0;
      LOOP sum += a[(j * m + row) * k + i] * b[i * n + col];
      c[(j * m + row) * n + col] = sum;
    }
}
// A triangle.
// CHECK: no_count{{.*}}: how often the loop runs is not known at the kernel's entry
IS no_count(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    for (int i = 0; i < row; i++)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK: no_step{{.*}}: how often the loop runs is not known at the kernel's entry
IS no_step(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    for (int i = 0; i < k; i += 2)
      sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// Every second byte.
// CHECK: no_line{{.*}}: an operand's lines do not lie side by side, by one id each
IS no_line(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + 2 * i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// A convolution: an index has both ids.
// CHECK: no_ids{{.*}}: an operand's lines do not lie side by side, by one id each
IS no_ids(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * n + col + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// A product by a vector.
// CHECK: no_matrix{{.*}}: an operand's lines do not lie side by side, by one id each
IS no_matrix(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i];
    c[row * n + col] = sum;
  }
}
// CHECK: no_table{{.*}}: an operand's lines do not lie side by side, by one id each
IS no_table(PARAMETERS, const int *at) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[at[row] + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK: no_constant{{.*}}: an operand's lines do not lie side by side, by one id each
__constant__ signed char table[64 * 64];
IS no_constant(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + i] * table[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK: no_diagonal{{.*}}: threads take part by other conditions than one limit of each id
IS no_diagonal(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n && row < col) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK: no_border{{.*}}: threads take part by other conditions than one limit of each id
IS no_border(PARAMETERS) {
  ROW; COL;
  if (row < m && col < n && col >= 3) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK: no_beyond{{.*}}: threads beyond the product's limits store, too
IS no_beyond(PARAMETERS) {
  ROW; COL;
  int sum = 0;
  if (row < m && col < n)
    LOOP sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}
// CHECK: no_place{{.*}}: what is stored may be what is read
IS no_place(signed char *a, const signed char *b, int m, int n, int k) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    a[row * k + col] = sum;
  }
}
// CHECK: no_where{{.*}}: what is stored may be what is read
IS no_where(PARAMETERS, const int *at) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[at[row * n + col]] = sum;
  }
}
#endif
// Doubles, in the loop's order: from a constant on, each product fused with its sum.
// CHECK: doubles{{.*}}: its product is for tensor cores: tiles of 64 x 128,
#define DOUBLES const double *a, const double *b, double *c, int m, int n, int k
IS doubles(DOUBLES) {
  ROW; COL;
  if (row < m && col < n) {
    double sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
#ifndef FEW
// CHECK: no_room_of_doubles{{.*}}: its launch bounds leave no room
IS __launch_bounds__(32) no_room_of_doubles(DOUBLES) {
  ROW; COL;
  if (row < m && col < n) {
    double sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
// CHECK: no_neighbour_of_doubles{{.*}}: threads may have to do with each other, or
IS no_neighbour_of_doubles(DOUBLES) {
  ROW; COL;
  if (row < m && col < n) {
    double sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum + threadIdx.x;
  }
}
IS no_fusing(DOUBLES) {
  ROW; COL;
  if (row < m && col < n) {
    double sum = 0;
    LOOP sum = __dadd_rn(sum, __dmul_rn(a[row * k + i], b[i * n + col]));
    c[row * n + col] = sum;
  }
}
IS no_difference(DOUBLES) {
  ROW; COL;
  if (row < m && col < n) {
    double sum = 0;
    LOOP sum -= a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
#endif
// Floats, likewise, but by the vector units.
// CHECK: floats{{.*}}: its product is worked out in blocks of another shape: tiles of 128 x 128,
#define FLOATS const float *a, const float *b, float *c, int m, int n, int k
IS floats(FLOATS) {
  ROW; COL;
  if (row < m && col < n) {
    float sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
#ifndef FEW
// CHECK: no_room_of_floats{{.*}}: its product stays in the program's blocks: its launch bounds leave no room
IS __launch_bounds__(64) no_room_of_floats(FLOATS) {
  ROW; COL;
  if (row < m && col < n) {
    float sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
IS no_fusing_of_floats(FLOATS) {
  ROW; COL;
  if (row < m && col < n) {
    float sum = 0;
    LOOP sum = __fadd_rn(sum, __fmul_rn(a[row * k + i], b[i * n + col]));
    c[row * n + col] = sum;
  }
}
// Of other numbers nothing is said: longer ones, real ones, sums of 64 bits.
// CHECK-NOT: no_longer{{.*}}product is
IS no_longer(const short *a, const signed char *b, int *c, int m, int n, int k) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
IS no_longer_sum(const signed char *a, const signed char *b, long long *c, int m, int n, int k) {
  ROW; COL;
  if (row < m && col < n) {
    long long sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
IS no_longer_real(const signed char *a, const signed char *b, float *c, int m, int n, int k) {
  ROW; COL;
  if (row < m && col < n) {
    float sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
#endif
// Other files may have the kernel, if their code is linked.
// CHECK: several{{.*}}: its product is for tensor cores
template <class T> IS several(const T *a, const T *b, int *c, int m, int n, int k) {
  ROW; COL;
  if (row < m && col < n) {
    int sum = 0;
    LOOP sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}
template IS several<signed char>(PARAMETERS);
