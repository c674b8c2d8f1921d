// Pointers that are taken for aligned, so that loads and stores of neighbours become one: the plan, the launch, the code.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// Pinned, whatever the model says; a launch by a pointer that is not aligned runs the kernel.
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:fields=2 %t.exe | %FileCheck %s -check-prefix=LAUNCH
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fpass-plugin=%mesi -S %s -o - | %FileCheck %s -check-prefix=PTX

struct Body {
  float x, y, z, mass;
};

// REMARK: fields: its pointers can be taken for aligned: 4 of 8 loads and stores become part of others, through 2 pointers
// PLAN-LABEL: plan of fields
// PLAN: {{^ *}}align: 4 of 8 loads and stores become part of others, through 2 pointers
// GATE-LABEL: define zeroext i1 @"fields$mesi$1$gate"
// GATE-COUNT-2: and i64 {{.*}}, 15
// GATE: ret i1
// CODE-LABEL: define {{.*}} @"fields$mesi$1"(ptr {{.*}}align 16 {{.*}}%all, ptr {{.*}}align 16 {{.*}}%other)
// The kernel itself knows nothing of it.
// PTX-LABEL: .entry fields(
// PTX-NOT: v4
// PTX: ret;
// PTX-LABEL: .entry fields$mesi$1
// PTX: ld.global.nc.v4.b32
// PTX: st.global.v4.b32
extern "C" __global__ void fields(Body *__restrict__ all, const Body *__restrict__ other) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Body b = other[i];
  b.x *= b.y;
  b.mass += 1;
  all[i] = b;
}
// Pointers in a parameter that is passed by value, and records that data picks.
struct Arrays {
  long long n;
  double *out;
  const double *in;
};
// PLAN-LABEL: plan of held
// PLAN: {{^ *}}align: 2 of 5 loads and stores become part of others, through 2 pointers
// GATE-LABEL: define zeroext i1 @"held$mesi${{[0-9]}}$gate"
// GATE-COUNT-2: and i64 {{.*}}, 15
// CODE-LABEL: define {{.*}} @"held$mesi${{[0-9]}}"(
// CODE-COUNT-2: load ptr, {{.*}}, !align
// CODE: ret void
// PTX-LABEL: .entry held$mesi$
// PTX: ld.global{{.*}}v2.{{[bf]}}64
// PTX: st.global.v2.{{[bf]}}64
extern "C" __global__ void held(Arrays a, const int *which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < a.n) {
    int k = which[i];
    double x = a.in[2 * k], y = a.in[2 * k + 1];
    a.out[2 * i] = x * x - y * y;
    a.out[2 * i + 1] = 2 * x * y;
  }
}

int main() {
  Body *aligned = (Body *)4096;
  // LAUNCH: block 64 1 1 shared 0: fields$mesi$1
  fields<<<7, 64>>>(aligned, aligned + 3);
  // LAUNCH: block 64 1 1 shared 0: fields{{$}}
  fields<<<7, 64>>>(aligned, (Body *)4104);
  // LAUNCH: block 64 1 1 shared 0: fields{{$}}
  fields<<<7, 64>>>((Body *)4100, aligned);
}
