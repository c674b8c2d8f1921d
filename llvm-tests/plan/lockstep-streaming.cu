// Kernels of three dimensions that are done plane after plane: what a plane loads and the next one loads again stays in registers.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off;only=line>' -S %t.ll -o - | %FileCheck %s --check-prefix=CODE
// So with the blocks that an option says, but for planes of one replica.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;shared=0;merge=1x2x4;only=line>' -disable-output %t.ll 2>&1 | grep -q 'plane after plane'
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;shared=0;merge=1x1x4;only=line>' -disable-output %t.ll > %t.one 2>&1 && grep -q 'merge 1x1x4' %t.one && %not grep -q 'plane after plane' %t.one
#define PARAMETERS const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz
#define IS extern "C" __global__ void
#define IDS int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z, plane = nx * ny, c = z * plane + y * nx + x
#define INSIDE if (x >= nx || y >= ny || z < 1 || z >= nz - 1) return
// A plane loads one cell of each of two rows, of three that it needs; what it and the one before loaded is kept.
// CHECK-LABEL: plan of line
// CHECK: merge 1x2x16 blocks, consecutive along y, consecutive along z
// CHECK-NEXT: nothing staged: 96 loads of all replicas, 36 addresses
// CHECK: plane after plane
// CODE-LABEL: define {{.*}}@"line$mesi$1"
// CODE: mesi.plane:
// CODE: br i1 {{.*}}, label %mesi.plane, label
// CODE: br i1 {{.*}}, label %mesi.rest, label %mesi.first
// The first plane of all: two rows of two more cells.
// CODE: mesi.first:
// CODE-COUNT-4: load float
// CODE-NOT: load float
// CODE: mesi.rest:
// CODE-COUNT-2: load float
// CODE-NOT: load float
// CODE-COUNT-2: store float
// CODE-NOT: store float
// CODE: mesi.lane:
// CODE: "nvvm.maxnreg"="64"
IS line(PARAMETERS) { IDS; INSIDE; out[c] = 0.25f * (in[c - plane] + in[c + plane]) + 0.5f * in[c]; }
// Nothing is loaded again.
// CHECK-LABEL: plan of copies
// CHECK-NOT: plane after plane
IS copies(PARAMETERS) { IDS; INSIDE; out[c] = 2 * in[c]; }
// A load behind a store may be of what that store wrote.
// CHECK-LABEL: plan of behind
// CHECK-NOT: plane after plane
IS behind(const float *in, float *out, int nx, int ny, int nz) { IDS; INSIDE; out[c] = in[c - plane] + in[c]; out[c + nz * plane] = in[c + plane]; }
// Not all replicas of a plane go the same way between its accesses.
// CHECK-LABEL: plan of branches
// CHECK-NOT: plane after plane
IS branches(PARAMETERS) { IDS; INSIDE; float s = in[c - plane] + in[c]; if (x > 7) s += in[c + plane]; out[c] = s; }
// Planes lie a block apart.
// CHECK-LABEL: plan of apart
// CHECK-NOT: plane after plane
IS apart(PARAMETERS) { IDS; INSIDE; out[c] = in[c - plane] + in[c] + in[c + plane] + threadIdx.z; }
// Every plane stores to the same cell.
// CHECK-LABEL: plan of one
// CHECK-NOT: plane after plane
IS one(PARAMETERS) { IDS; INSIDE; out[y * nx + x] = in[c - plane] + in[c] + in[c + plane]; }
