// Relocatable device code of two files that have a kernel in common, linked, and run with a runtime that only says what would
// run. clang hands such code to the linker's wrapper, which is done here by hand.
// REQUIRES: cuda
// RUN: rm -rf %t.d && mkdir -p %t.d && cd %t.d && %clang -O2 -c %S/Inputs/runtime.cpp -o runtime.o
// RUN: cd %t.d && for f in %s %S/Inputs/other.cuh; do %clang -x cuda %cuda-flags -fgpu-rdc --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -I%S/Inputs -O2 -fpass-plugin=%mesi -c $f; done
// RUN: cd %t.d && for f in relocatable other; do for a in sm_80 sm_90; do $(dirname %clang)/llvm-offload-binary $f.o --image=file=$f.$a.o,arch=$a; done; done
// The device's linker takes one of the two, with its tiles alone: those of both would not fit.
// RUN: cd %t.d && for a in sm_80 sm_90; do %cuda/bin/nvlink -arch $a relocatable.$a.o other.$a.o -o $a.cubin; done
// RUN: cd %t.d && %cuda/bin/fatbinary -64 --create all.fatbin --image3=kind=elf,sm=80,file=sm_80.cubin --image3=kind=elf,sm=90,file=sm_90.cubin
// RUN: cd %t.d && $(dirname %clang)/llvm-offload-wrapper --kind=cuda --triple=x86_64-pc-linux-gnu all.fatbin -o all.bc && %clang -Wno-override-module -c all.bc -o all.o
// RUN: cd %t.d && %clang relocatable.o other.o all.o runtime.o -o all.exe && env MESI_CHOICE=prior ./all.exe | %FileCheck %s
// Its version is launched by one address wherever it is launched, as it is itself; that of a kernel of one file by one of that file.
// RUN: cd %t.d && $(dirname %clang)/llvm-nm all.exe | %FileCheck %s --check-prefix=ADDRESSES
// ADDRESSES-DAG: {{ V _Z4rowsIfEvPKT_PS0_ii[$]mesi[$]0$}}
// ADDRESSES-DAG: {{ b _ZN.*mine.*[$]mesi[$]0$}}
// Files compiled for other sizes have other tiles; whichever kernel the linker takes, it has its own alone.
// RUN: cd %t.d && %clang -x cuda %cuda-flags -fgpu-rdc --cuda-gpu-arch=sm_80 -I%S/Inputs -O2 -fpass-plugin=%mesi -mllvm -mesi-shared=16384 -c %S/Inputs/other.cuh -o small.o && $(dirname %clang)/llvm-offload-binary small.o --image=file=small.sm_80.o,arch=sm_80
// RUN: cd %t.d && for two in "small.sm_80.o relocatable.sm_80.o" "relocatable.sm_80.o small.sm_80.o"; do %cuda/bin/nvlink -arch sm_80 $two -o two.cubin; $(dirname %clang)/llvm-readelf -SW two.cubin | %FileCheck %s --check-prefix=TWO; done
// TWO: .nv.shared._Z4rowsIfEvPKT_PS0_ii$mesi$0 NOBITS {{ *[0-9a-f]+ [0-9a-f]+}} {{004000|00c000}}
// Without the new driver such code lies in a fat binary.
// RUN: cd %t.d && %clang -x cuda %cuda-flags -fgpu-rdc --no-offload-new-driver --cuda-gpu-arch=sm_80 -I%S/Inputs -O2 -fpass-plugin=%mesi -c -save-temps %S/Inputs/other.cuh
// RUN: cd %t.d && %clang -x cuda %cuda-flags -fgpu-rdc --no-offload-new-driver --cuda-host-only -I%S/Inputs -O2 -S -emit-llvm -fpass-plugin=%mesi -Xclang -fcuda-include-gpubinary -Xclang $(ls *.fatbin | grep other) %S/Inputs/other.cuh -o - | %FileCheck %s --check-prefix=OLD
// OLD: @"[[K:_Z4rows[A-Za-z_0-9]*]]$mesi$0" = linkonce_odr hidden global
// OLD: call{{.*}} i32 @mesi_launch(ptr
// OLD: call{{.*}} i32 @__cudaRegisterFunction(ptr {{.*}}, ptr {{[a-z ]*}}@"[[K]]$mesi$0", ptr
// LLVM's bitcode becomes machine code when all is linked, so nothing is made in it.
// RUN: cd %t.d && %clang %cuda-flags -fgpu-rdc -foffload-lto --cuda-gpu-arch=sm_80 -I%S/Inputs -O2 -fpass-plugin=%mesi -c %s -o lto.o && %not grep -q 'mesi.0.name' lto.o
#include "rows.cuh"
void other(float *p, int n);
__global__ void here(const float *a, float *sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 2;
  for (int i = 0; i < n; i++)
    s += a[row * n + i];
  sums[row] = s;
}
int main() {
  float *p = (float *)0x7f0000000000;
  // CHECK: grid 2048 1 1 block 32 1 1 shared 0: _Z4rowsIfEvPKT_PS0_ii$mesi$0{{$}}
  rows<float><<<256, 256>>>(p, p + (1 << 28), 1024, 1024);
  // CHECK: grid 256 1 1 block 256 1 1 shared 0: _Z4rowsIfEvPKT_PS0_ii{{$}}
  rows<float><<<256, 256>>>(p, p + (1 << 28), 2, 1024);
  // CHECK: grid 2048 1 1 block 32 1 1 shared 0: _Z4herePKfPfi$mesi$0{{$}}
  here<<<256, 256>>>(p, p + (1 << 28), 1024);
  // CHECK: grid 256 1 1 block 256 1 1 shared 0: _Z4herePKfPfi{{$}}
  here<<<256, 256>>>(p, p + (1 << 28), 2);
  // CHECK: grid 2048 1 1 block 32 1 1 shared 0: _Z4rowsIfEvPKT_PS0_ii$mesi$0{{$}}
  // CHECK: grid 2048 1 1 block 32 1 1 shared 0: [[MINE:_ZN.*mine[A-Za-z_0-9]*]]$mesi$0{{$}}
  other(p, 1024);
  // CHECK: grid 256 1 1 block 256 1 1 shared 0: _Z4rowsIfEvPKT_PS0_ii{{$}}
  // CHECK: grid 256 1 1 block 256 1 1 shared 0: [[MINE]]{{$}}
  other(p, 2);
}
