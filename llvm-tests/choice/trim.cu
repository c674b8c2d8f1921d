// Blocks that a guard proves empty are not launched: a version gets a list of boxes of those that are left, which the host makes.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -Rpass-analysis=mesi -c %s -o %t.o 2> %t.remarks
// RUN: %FileCheck %s -check-prefix=REMARK < %t.remarks
// Pinned, whatever the model says; a launch of which little is empty runs the kernel.
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:surface=1 %t.exe | %FileCheck %s -check-prefix=PIN
// RUN: env MESI_CHOICE=pin:row=1 %t.exe | %FileCheck %s -check-prefix=ROW
// RUN: env MESI_CHOICE=pin:frame=1 %t.exe | %FileCheck %s -check-prefix=FRAME
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// The version takes its block's number from the list, which is one parameter more.
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE

// REMARK: surface: its grids can be trimmed: guards tell blocks apart along x, y, z
// PLAN-LABEL: plan of surface
// PLAN: trim: guards tell blocks apart along x, y, z; sure where 1 blocks go for each that is left, and 1056
// The model is sure of a launch by what goes: the program's blocks, which begin the list, less those that are left.
// GATE-LABEL: define zeroext i1 @"surface$mesi$0$pays$gate"
// GATE: [[LEFT:%[0-9]+]] = zext i32 {{.*}} to i64
// GATE: [[ROWS:%[0-9]+]] = mul i64
// GATE-NEXT: [[ALL:%[0-9]+]] = mul i64 {{.*}}, [[ROWS]]
// GATE-NEXT: [[LEAST:%[0-9]+]] = add i64 [[LEFT]], 1056
// GATE-NEXT: [[GONE:%[0-9]+]] = sub i64 [[ALL]], [[LEFT]]
// GATE-NEXT: [[SURE:%[0-9]+]] = icmp uge i64 [[GONE]], [[LEAST]]
// GATE-NEXT: ret i1 [[SURE]]
// GATE-LABEL: define zeroext i1 @"surface$mesi$0$fold$gate"
// GATE: ret i1
// CODE-LABEL: define {{.*}} @"surface$mesi$0"(ptr {{.*}}, i32 {{.*}}, float {{.*}}, ptr byval([39 x i32]) align 4 %{{[0-9a-z]+}})
// CODE: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CODE-NOT: sreg.ctaid
// CODE: ret void
extern "C" __global__ void surface(float *a, int n, float v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= n)
    return;
  if (x == 0 || x == n - 1 || y == 0 || y == n - 1 || z == 0 || z == n - 1)
    a[(z * n + y) * n + x] = v;
}
// The grid's size is the program's.
// PLAN-LABEL: plan of row
// PLAN: trim: guards tell blocks apart along x, y
// CODE-LABEL: define {{.*}} @"row$mesi$0"
// CODE-NOT: sreg.nctaid
// CODE: ret void
extern "C" __global__ void row(float *a, int n, int r) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i != r || j >= n)
    return;
  a[i * n + j] = gridDim.y;
}

// Comparisons with constants are a switch: clang made it of them.
// PLAN-LABEL: plan of frame
// PLAN: trim: guards tell blocks apart along x, y
extern "C" __global__ void frame(float *a) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 400 || y >= 400)
    return;
  if (y == 0)
    a[x] = 1;
  else if (y == 399)
    a[y * 400 + x] = 2;
  else if (x == 0)
    a[y * 400] = 3;
  else if (x == 399)
    a[y * 400 + x] = 4;
}

int main() {
  float *p = 0;
  // 16 * 16 * 16 blocks, 14 * 14 * 14 of which are empty.
  // PIN: grid 1352 1 1 block 8 8 8 shared 0: surface$mesi$0
  surface<<<dim3(16, 16, 16), dim3(8, 8, 8)>>>(p, 128, 1);
  // 512 * 512 * 512 in blocks of 32 * 8: 16 * 64 * 512 blocks, of which 14 * 62 * 510 are empty.
  // PIN: grid 81608 1 1 block 32 8 1 shared 0: surface$mesi$0
  surface<<<dim3(16, 64, 512), dim3(32, 8, 1)>>>(p, 512, 1);
  // More blocks than there are places for: what is behind the volume is empty, too.
  // PIN: grid 1352 1 1 block 8 8 8 shared 0: surface$mesi$0
  surface<<<dim3(20, 16, 40), dim3(8, 8, 8)>>>(p, 128, 1);
  // The last blocks begin behind the last place.
  // PIN: grid 1352 1 1 block 8 8 8 shared 0: surface$mesi$0
  surface<<<dim3(17, 17, 17), dim3(8, 8, 8)>>>(p, 121, 1);
  // Nothing is empty; all is; dynamic shared memory is none of ours.
  // PIN: grid 2 2 2 block 8 8 8 shared 0: surface{{$}}
  surface<<<dim3(2, 2, 2), dim3(8, 8, 8)>>>(p, 16, 1);
  // PIN: grid 16 16 16 block 8 8 8 shared 0: surface{{$}}
  surface<<<dim3(16, 16, 16), dim3(8, 8, 8)>>>(p, 0, 1);
  // PIN: grid 16 16 16 block 8 8 8 shared 64: surface{{$}}
  surface<<<dim3(16, 16, 16), dim3(8, 8, 8), 64>>>(p, 128, 1);
  // Ids of half of the blocks wrap: of these nothing is proven.
  // PIN: grid 4194306 1 1 block 1024 1 1 shared 0: surface$mesi$0
  surface<<<dim3(1 << 22, 2), 1024>>>(p, 2, 1);
  // ROW: grid 16 1 1 block 32 8 1 shared 0: row$mesi$0
  row<<<dim3(16, 64), dim3(32, 8)>>>(p, 512, 100);
  // No block has the row.
  // ROW: grid 16 64 1 block 32 8 1 shared 0: row{{$}}
  row<<<dim3(16, 64), dim3(32, 8)>>>(p, 512, -1);
  // 13 * 50 blocks, of which 11 * 48 are empty; of 14 * 50 the last column, too.
  // FRAME: grid 122 1 1 block 32 8 1 shared 0: frame$mesi$0
  frame<<<dim3(13, 50), dim3(32, 8)>>>(p);
  // FRAME: grid 122 1 1 block 32 8 1 shared 0: frame$mesi$0
  frame<<<dim3(14, 50), dim3(32, 8)>>>(p);
}
