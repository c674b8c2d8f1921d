// The optimization record carries kernel and array as named arguments.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 --cuda-device-only -S %s -o %t.ptx -fpass-plugin=%mesi -mllvm -mesi-only=x -foptimization-record-file=%t.yaml -foptimization-record-passes=mesi
// RUN: %FileCheck %s < %t.yaml
// CHECK: --- !Missed
// CHECK-NEXT: Pass: mesi
// CHECK-NEXT: Name: Disabled
// CHECK-NEXT: DebugLoc: { File: {{.*}}record.cu{{.*}}, Line: [[@LINE+6]]
// CHECK-NEXT: Function: _Z3onePf
// CHECK-NEXT: Args:
// CHECK-NEXT: - String: 'not staged: kernel '
// CHECK-NEXT: - Kernel: one
// CHECK-NEXT: - String: ': only
__global__ void one(float *p) { p[0] = 1; }
