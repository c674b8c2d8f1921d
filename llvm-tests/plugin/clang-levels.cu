// The pass runs at every optimization level but -O0, where it says why it does not. That it ran shows
// in the remark on the kernel that `only` leaves out.
// REQUIRES: cuda
// RUN: for level in O1 O2 O3 Os Oz; do \
// RUN:   %clang %cuda-flags --cuda-gpu-arch=sm_80 -$level -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-only=two -Rpass-missed=mesi 2>&1 \
// RUN:   | %FileCheck %s -check-prefix=ON; done
// ON: clang-levels.cu:[[@LINE+6]]:{{[0-9]+}}: remark: not staged: kernel one: only 'two' was asked for (Disabled) [-Rpass-missed=mesi]
// ON-NOT: kernel two
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O0 -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-force -Rpass-missed=mesi -Rpass-analysis=mesi 2>&1 | %FileCheck %s -check-prefix=OFF
// OFF: clang-levels.cu:[[@LINE+3]]:{{[0-9]+}}: remark: one: left alone at -O0: compile with -O1 or more [-Rpass-analysis=mesi]
// OFF: clang-levels.cu:[[@LINE+3]]:{{[0-9]+}}: remark: two: left alone at -O0
// OFF-NOT: remark
__global__ void one(float *p) { p[0] = 1; }
__global__ void two(float *p) { p[0] = 2; }
