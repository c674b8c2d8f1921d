// The run-time part is in host code as assembly, so that LLVM does not make code of it in every compile, and runs so; and as
// bitcode where assembly could not be right.
// REQUIRES: cuda
// RUN: rm -rf %t.d && mkdir -p %t.d && cd %t.d && %clang -O2 -c %S/Inputs/runtime.cpp -o one.o && echo "int cudaGetLastError(void) { return 0; }" > last.c && %clang -x c -c last.c -o last.o && ld -r one.o last.o -o runtime.o
// RUN: cd %t.d && %clang %cuda-flags --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%mesi -save-temps -c %s -o all.o && %clang all.o runtime.o -o all.exe && env MESI_CHOICE=prior ./all.exe | %FileCheck %s
// CHECK: grid 64 64 1 block 16 16 1 shared 0: _Z2mmILi0EEvPKfS1_Pfiii$mesi$0{{$}}
// Nobody else sees it. What it may do without is not required, and what the file itself calls is.
// RUN: cd %t.d && $(dirname %clang)/llvm-nm all.o | %FileCheck %s --check-prefix=NAMES --implicit-check-not='{{[TDBRW]}} mesi'
// NAMES-DAG: {{ w cudaLaunchKernelExC$}}
// NAMES-DAG: {{ U cudaGetLastError$}}
// NAMES-DAG: {{ t mesi_launch$}}
// NAMES-DAG: {{ V mesi_rt.any_tuned$}}
// Nothing is said of the whole file that the program's own code may not keep.
// RUN: cd %t.d && $(dirname %clang)/llvm-readelf -n all.o | %not grep -i ibt
// As text, assembled by itself.
// RUN: cd %t.d && %clang %cuda-flags --cuda-host-only -O2 -S -fpass-plugin=%mesi -Xclang -fcuda-include-gpubinary -Xclang $(ls *.fatbin) %s -o text.s && %clang -c text.s -o text.o && %clang text.o runtime.o -o text.exe && env MESI_CHOICE=prior ./text.exe | %FileCheck %s
// Two modules in one have it once.
// RUN: cd %t.d && for d in ONE TWO; do %clang %cuda-flags --cuda-host-only -O2 -S -emit-llvm -fpass-plugin=%mesi -D$d -Xclang -fcuda-include-gpubinary -Xclang $(ls *.fatbin) %s -o $d.ll; done
// RUN: cd %t.d && $(dirname %clang)/llvm-link ONE.ll TWO.ll -o both.bc && %clang -Wno-override-module -c both.bc -o both.o && $(dirname %clang)/llvm-nm both.o | grep -c ' t mesi_launch$' | %FileCheck %s --check-prefix=ONCE
// ONCE: {{^}}1{{$}}
// The linker makes code; the assembler reads the other dialect; code is far from data; the file has such a function of its own.
// RUN: cd %t.d && for o in -flto -masm=intel -mcmodel=large -DOWN; do %clang %cuda-flags --cuda-host-only -O2 -S -emit-llvm -fpass-plugin=%mesi $o -Xclang -fcuda-include-gpubinary -Xclang $(ls *.fatbin) %s -o - | %FileCheck %s --check-prefix=BITCODE; done
// BITCODE-NOT: module asm
// BITCODE: define internal{{.*}} i32 @mesi_launch(
template <int>
__global__ void mm(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}
#ifdef OWN
static int own(int file) __asm__("lseek");
__attribute__((noinline, used)) static int own(int file) { return file; }
#endif
#ifdef TWO
void launch(float *p) {
#else
int main() {
  float *p = (float *)0x7f0000000000;
#endif
  mm<0><<<dim3(256, 256), dim3(16, 16)>>>(p, p + (1 << 26), p + (1 << 27), 4096, 4096, 4096);
#ifndef TWO
  return cudaGetLastError();
#endif
}
