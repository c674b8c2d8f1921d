// A whole program, linked with a runtime that only says what would run: launches that gain nothing go to the originals,
// for several chips, from -O1 up, by both of clang's drivers, and the arguments are found where they lie.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.o
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=prior %t.exe | %FileCheck %s
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-include-ptx=sm_90 --no-offload-new-driver -O1 -g -fpass-plugin=%mesi -c %s -o %t.old.o
// RUN: %clang %t.old.o %t.runtime.o -o %t.old.exe && env MESI_CHOICE=prior %t.old.exe | %FileCheck %s
// At -O1 no loop is lengthened, so the original is as clang makes it, and there is no third.
// With debug information, small, by the new driver, with traps in host code where sums overflow.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --offload-new-driver -Os -g -fsanitize=signed-integer-overflow -fsanitize-trap=all -fpass-plugin=%mesi -c %s -o %t.new.o
// RUN: %clang %t.new.o %t.runtime.o -o %t.new.exe && env MESI_CHOICE=prior %t.new.exe | %FileCheck %s
// At -O0 nothing is staged, and every launch is the program's own.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O0 -fpass-plugin=%mesi -c %s -o %t.zero.o
// RUN: %clang %t.zero.o %t.runtime.o -o %t.zero.exe && env MESI_CHOICE=prior %t.zero.exe | %FileCheck %s -check-prefix=NEVER
// Asked not to, the launch is the program's own.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -mllvm -mesi-form=inside -c %s -o %t.off.o
// RUN: %clang %t.off.o %t.runtime.o -o %t.off.exe && env MESI_CHOICE=prior %t.off.exe | %FileCheck %s -check-prefix=NEVER
// NEVER-COUNT-12: grid {{.*}}
// NEVER-NOT: {{original|plain}}
template <class T>
__global__ void mm(const T *a, const T *b, T *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  T s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}
struct Points {
  const float *at;
  char tag;
  int count;
};
namespace {
// Centres and numbers a point lie behind a struct, a bool and a char.
__global__ void nearest(Points points, bool last, char tag, const float *centres, int *out, int k, int numbers) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points.count)
    return;
  float best = 3e38f;
  int which = 0;
  for (int j = 0; j < k; j++) {
    float d = 0;
    for (int l = 0; l < numbers; l++) {
      float t = points.at[i * numbers + l] - centres[j * numbers + l];
      d += t * t;
    }
    if (last ? d <= best : d < best)
      best = d, which = j;
  }
  out[i] = which + tag;
}
} // namespace
// Nothing to stage, so nothing to choose.
__global__ void one(float *p) { p[0] = 1; }

struct Held {
  int *at;
  ~Held() { delete at; }
};
// Something is destroyed if the launch throws.
void held(float *p, int k) {
  Held it{new int};
  mm<float><<<dim3(256, 256), dim3(16, 16)>>>(p, p + (1 << 26), p + (1 << 27), 4096, 4096, k);
}

int main() {
  float *p = (float *)0x7f0000000000;
  int *q = (int *)0x7f0800000000;
  // CHECK: grid 64 64 1 block 16 16 1 shared 0: _Z2mmIfEvPKT_S2_PS0_iii$mesi$0{{$}}
  mm<float><<<dim3(256, 256), dim3(16, 16)>>>(p, p + (1 << 26), p + (1 << 27), 4096, 4096, 4096);
  // CHECK: grid 2 2 1 block 16 16 1 shared 0: _Z2mmIfEvPKT_S2_PS0_iii{{$}}
  mm<float><<<dim3(2, 2), dim3(16, 16)>>>(p, p + (1 << 26), p + (1 << 27), 32, 32, 8);
  // CHECK: grid 2 2 1 block 16 16 1 shared 64: _Z2mmIfEvPKT_S2_PS0_iii{{$}}
  mm<float><<<dim3(2, 2), dim3(16, 16), 64>>>(p, p + (1 << 26), p + (1 << 27), 32, 32, 8);
  // CHECK: grid 64 64 1 block 16 16 1 shared 0: _Z2mmIdEvPKT_S2_PS0_iii$mesi$0{{$}}
  mm<double><<<dim3(256, 256), dim3(16, 16)>>>((double *)p, (double *)p + (1 << 26), (double *)p + (1 << 27), 4096, 4096, 4096);
  // CHECK: grid 256 256 1 block 16 16 1 shared 0: _Z2mmIdEvPKT_S2_PS0_iii{{$}}
  mm<double><<<dim3(256, 256), dim3(16, 16)>>>((double *)p, (double *)p + (1 << 26), (double *)p + (1 << 27), 4096, 4096, 1);
  // CHECK: grid 4096 1 1 block 256 1 1 shared 0: _ZN12_GLOBAL__N_17nearestE6PointsbcPKfPiii$mesi$0{{$}}
  nearest<<<4096, 256>>>(Points{p, 1, 1 << 20}, true, 3, p + (1 << 28), q, 16, 32);
  // CHECK: grid 4096 1 1 block 256 1 1 shared 0: _ZN12_GLOBAL__N_17nearestE6PointsbcPKfPiii{{$}}
  nearest<<<4096, 256>>>(Points{p, 1, 1 << 20}, true, 3, p + (1 << 28), q, 16, 0);
  // CHECK: grid 4096 1 1 block 256 1 1 shared 0: _ZN12_GLOBAL__N_17nearestE6PointsbcPKfPiii{{$}}
  nearest<<<4096, 256>>>(Points{p, 1, 1 << 20}, true, 3, p + (1 << 28), q, 0, 32);
  // CHECK: grid 16 1 1 block 32 1 1 shared 0: _ZN12_GLOBAL__N_17nearestE6PointsbcPKfPiii$mesi$0{{$}}
  nearest<<<16, 32>>>(Points{p, 1, 1 << 20}, true, 3, p + (1 << 28), q, 16, 32);
  // CHECK: grid 1 1 1 block 1 1 1 shared 0: _Z3onePf{{$}}
  one<<<1, 1>>>(p);
  // CHECK: grid 64 64 1 block 16 16 1 shared 0: _Z2mmIfEvPKT_S2_PS0_iii$mesi$0{{$}}
  held(p, 4096);
  // CHECK: grid 256 256 1 block 16 16 1 shared 0: _Z2mmIfEvPKT_S2_PS0_iii{{$}}
  held(p, 1);
}
