// Quotients and remainders of a block's number: the host asks for all that they can be over the grid, so no block has to.
// REQUIRES: cuda
// RUN: %clang -O2 -c %S/Inputs/runtime.cpp -o %t.runtime.o
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%mesi -c %s -o %t.o
// RUN: %clang %t.o %t.runtime.o -o %t.exe && env MESI_CHOICE=pin:scores=1 %t.exe | %FileCheck %s
// RUN: env MESI_CHOICE=pin:scores=3 %t.exe | %FileCheck %s -check-prefix=TILES
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -emit-llvm -S %s -o %t.ll
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-plan;disable=off;form=own>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,print<mesi-gate;disable=off>' -disable-output %t.ll 2>&1 | %FileCheck %s -check-prefix=GATE
// RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='thinlto-pre-link<O3>,mesi<form=own;disable=off>' -S %t.ll | %FileCheck %s -check-prefix=CODE

// What is divided by is a divisor.
// PLAN-LABEL: plan of scores
// PLAN: fact: 1 <= [[HEADS:s[0-9]+]] <= 2147483647
// PLAN: mma: tiles of 128 x 128
// GATE-LABEL: define zeroext i1 @"scores$mesi$0$gate"
// The greatest quotient is that of the last block, the greatest remainder below the divisor.
// GATE: [[LAST:%[0-9]+]] = sub i64 %[[#]], 1
// GATE: [[BY:%[0-9]+]] = call i64 @llvm.smax.i64(i64 %[[#]], i64 1)
// GATE: udiv i64 [[LAST]], [[BY]]
// No version asks, and there is no other body behind a question.
// CODE-LABEL: define {{.*}} @"scores$mesi$0"
// CODE-NOT: @scores
// CODE-NOT: br {{.*}}original
// CODE-LABEL: define {{.*}} @"scores$mesi$2"
// CODE: call {{.*}}@llvm.nvvm.read.ptx.sreg.ctaid.z()
extern "C" __global__ void scores(float *out, const float *qkv, int times, int heads, int channels) {
  int key = blockIdx.x * blockDim.x + threadIdx.x, query = blockIdx.y * blockDim.y + threadIdx.y;
  int batch = blockIdx.z / heads, head = blockIdx.z % heads, size = channels / heads;
  if (query >= times || key >= times)
    return;
  const float *q = qkv + batch * times * 3 * channels + head * size, *k = q + channels;
  float sum = 0;
  for (int i = 0; i < size; i++)
    sum += q[query * 3 * channels + i] * k[key * 3 * channels + i];
  out[((batch * heads + head) * times + query) * times + key] = sum;
}

int main() {
  char *p = (char *)0x10000000;
  float *out = (float *)p, *qkv = (float *)(p + (1l << 40));
  dim3 block(16, 16);
  // CHECK: grid {{.*}} block 16 16 1 shared 0: scores$mesi$0
  // TILES: grid 8 8 96 block 256 1 1 shared 0: scores$mesi$2
  scores<<<dim3(64, 64, 96), block>>>(out, qkv, 1024, 12, 768);
  // Nothing is divided by 0, nor by less.
  // CHECK: grid 64 64 96 block 16 16 1 shared 0: scores{{$}}
  // TILES: grid 64 64 96 block 16 16 1 shared 0: scores{{$}}
  scores<<<dim3(64, 64, 96), block>>>(out, qkv, 1024, 0, 768);
  // CHECK: grid 64 64 96 block 16 16 1 shared 0: scores{{$}}
  // TILES: grid 64 64 96 block 16 16 1 shared 0: scores{{$}}
  scores<<<dim3(64, 64, 96), block>>>(out, qkv, 1024, -12, 768);
  // 911 batches are within 32 bits, 912 are not.
  // CHECK: grid {{.*}} block 16 16 1 shared 0: scores$mesi$0
  // TILES: grid 8 8 10932 block 256 1 1 shared 0: scores$mesi$2
  scores<<<dim3(64, 64, 10932), block>>>(out, qkv, 1024, 12, 768);
  // CHECK: grid 64 64 10944 block 16 16 1 shared 0: scores{{$}}
  // TILES: grid 64 64 10944 block 16 16 1 shared 0: scores{{$}}
  scores<<<dim3(64, 64, 10944), block>>>(out, qkv, 1024, 12, 768);
}
