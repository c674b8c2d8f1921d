// A parameter `float a[][64]` is a pointer to rows of 256 bytes; a __device__ array of two dimensions
// the same; a struct by value brings its own width.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 --cuda-device-only -S -emit-llvm %s -o %t.ll -fpass-plugin=%mesi -mllvm -mesi-disable
// RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-affine>' -disable-output %t.ll 2>&1 | %FileCheck %s
// CHECK-LABEL: affine of _Z5fixed
// CHECK: access0: array0 + 4*tid.x + 256*tid.y
// CHECK: access1: array1 + 4*tid.x + 256*tid.y
// CHECK-LABEL: affine of _Z8by_value
// CHECK: [[WIDTH:s[0-9]+]] = i32
// CHECK: access0: array0 + 4*tid.x + 4*tid.y*[[WIDTH]]
__device__ float table[32][64];
struct matrix { int width, height; float *elements; };
__global__ void fixed(float a[][64], float *y) {
  y[threadIdx.y * 1000 + threadIdx.x] = a[threadIdx.y][threadIdx.x] + table[threadIdx.y][threadIdx.x];
}
__global__ void by_value(matrix a, float *y) {
  y[0] = a.elements[threadIdx.y * a.width + threadIdx.x];
}
