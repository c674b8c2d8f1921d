// annotate("mesi.off") leaves a kernel alone, templates included; other annotations are not ours.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 --cuda-device-only -S %s -o %t.ptx -fpass-plugin=%mesi -mllvm -mesi-force -Rpass-missed=mesi 2>&1 | %FileCheck %s
// CHECK: annotations.cu:[[@LINE+5]]:{{[0-9]+}}: remark: not staged: kernel one: annotate("mesi.off") (Disabled)
// CHECK-NOT: kernel other
// CHECK: remark: not staged: kernel many: annotate("mesi.off") (Disabled)
// CHECK-NOT: {{warning|kernel}}
#define MESI(what) __attribute__((annotate(what)))
MESI("mesi.off") __global__ void one(float *p) { p[0] = 1; }
MESI("not.mesi.off") MESI("mesi.block=16,16,1") __global__ void other(float *p) { p[0] = 2; }
template <int N> MESI("mesi.off") __global__ void many(float *p) { p[0] = N; }
template __global__ void many<3>(float *);
