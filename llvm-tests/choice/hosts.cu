// Hosts other than x86-64: grid and block reach the runtime as two pairs of 64 bits, and so do they reach the gate.
// REQUIRES: cuda
// RUN: rm -rf %t.d && mkdir -p %t.d && cd %t.d && %clang -x cuda %cuda-flags --target=aarch64-linux-gnu -nocudainc -nocudalib -Xclang -target-sdk-version=12.9 --cuda-gpu-arch=sm_90 -I%S/Inputs -O2 -fpass-plugin=%mesi -save-temps -c %s -o all.o
// RUN: cd %t.d && for t in aarch64-linux-gnu aarch64_be-linux-gnu riscv64-linux-gnu powerpc64le-linux-gnu x86_64-pc-windows-msvc; do %clang -x cuda %cuda-flags --target=$t -nocudainc -nocudalib -Xclang -target-sdk-version=12.9 --cuda-host-only -I%S/Inputs -O2 -flto -S -emit-llvm -fpass-plugin=%mesi -Xclang -fcuda-include-gpubinary -Xclang $(ls *.fatbin) %s -o $t.ll; done
// RUN: cd %t.d && $(dirname %clang)/llvm-nm all.o | grep ' t mesi_launch$'
// As for a link that makes the code: then the run-time part is no assembly, and another machine can run it, below.
// RUN: cd %t.d && %FileCheck %s < aarch64-linux-gnu.ll
// CHECK-LABEL: define {{.*}}@main
// CHECK: call{{.*}} i32 @mesi_launch(ptr {{[a-z ]*}}@"[[K:_Z2mm[A-Za-z_0-9]*]]$mesi.0", [2 x i64]
// CHECK: call{{.*}} i32 @__cudaRegisterFunction(ptr {{.*}}, ptr {{[a-z ]*}}@"[[K]]$mesi$0", ptr
// Hosts that there is no run-time part for: the kernel is launched.
// RUN: cd %t.d && for t in aarch64_be-linux-gnu riscv64-linux-gnu powerpc64le-linux-gnu x86_64-pc-windows-msvc; do grep -q cudaLaunchKernel $t.ll && %not grep -q mesi.0.name $t.ll; done
// What the pass made of AArch64's code runs here, with a runtime that takes pairs as this machine hands them over: each as two numbers.
// RUN: cd %t.d && grep -v '^target ' aarch64-linux-gnu.ll | sed 's/"target-cpu"="[^"]*"//; s/"target-features"="[^"]*"//' > here.ll
// RUN: cd %t.d && %clang -Wno-override-module -O1 -c here.ll -o here.o && %clang -O2 -DPAIRS -c %S/Inputs/runtime.cpp -o runtime.o && %clang here.o runtime.o -o here.exe && env MESI_CHOICE=prior ./here.exe | %FileCheck %s --check-prefix=CALLS
// RUN: env MESI_CHOICE=pin:_Z5solidPKfPfiii=4 %t.d/here.exe | %FileCheck %s -check-prefix=SOLID
// RUN: env MESI_CHOICE=pin:_Z6layersPKfPfi=4 %t.d/here.exe | %FileCheck %s -check-prefix=LAYERS
#include "bare.cuh"
__global__ void mm(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = __nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_ntid_y() + __nvvm_read_ptx_sreg_tid_y();
  int col = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  if (row >= m || col >= n)
    return;
  float s = 0;
  for (int i = 0; i < k; i++)
    s += a[row * k + i] * b[i * n + col];
  c[row * n + col] = s;
}
// Rows are n times as long as the grid has layers, and one more for each of the block's.
__global__ void layers(const float *a, float *sums, int n) {
  int length = n * __nvvm_read_ptx_sreg_nctaid_z() + __nvvm_read_ptx_sreg_ntid_z();
  int row = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  float s = 0;
  for (int i = 0; i < length; i++)
    s += a[row * length + i];
  sums[row] = s;
}
// Neighbours of a cell of a solid.
__global__ void solid(const float *a, float *b, int nx, int ny, int nz) {
  int x = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  int y = __nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_ntid_y() + __nvvm_read_ptx_sreg_tid_y();
  int z = __nvvm_read_ptx_sreg_ctaid_z() * __nvvm_read_ptx_sreg_ntid_z() + __nvvm_read_ptx_sreg_tid_z();
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
    return;
  int i = (z * ny + y) * nx + x, layer = nx * ny;
  b[i] = a[i] + a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - layer] + a[i + layer];
}
int main() {
  float *p = (float *)0x7f0000000000;
  // CALLS: grid 64 64 1 block 16 16 1 shared 0: _Z2mmPKfS0_Pfiii$mesi$0{{$}}
  mm<<<dim3(256, 256), dim3(16, 16)>>>(p, p + (1 << 26), p + (1 << 27), 4096, 4096, 4096);
  // CALLS: grid 2 2 1 block 16 16 1 shared 0: _Z2mmPKfS0_Pfiii{{$}}
  mm<<<dim3(2, 2), dim3(16, 16)>>>(p, p + (1 << 26), p + (1 << 27), 32, 32, 8);
  // CALLS: grid 2 2 1 block 16 16 1 shared 64: _Z2mmPKfS0_Pfiii{{$}}
  mm<<<dim3(2, 2), dim3(16, 16), 64>>>(p, p + (1 << 26), p + (1 << 27), 32, 32, 8);
  // Their threads are dealt out to blocks of 256.
  // LAYERS: grid 1024 1 1 block 256 1 1 shared 0: _Z6layersPKfPfi$mesi$0{{$}}
  layers<<<dim3(4096, 1, 1), dim3(64, 1, 1)>>>(p, p + (1 << 28), 4);
  // LAYERS: grid 1024 1 64 block 256 1 1 shared 0: _Z6layersPKfPfi$mesi$0{{$}}
  layers<<<dim3(4096, 1, 64), dim3(64, 1, 1)>>>(p, p + (1 << 28), 4);
  // LAYERS: grid 4096 1 1 block 64 1 16 shared 0: _Z6layersPKfPfi{{$}}
  layers<<<dim3(4096, 1, 1), dim3(64, 1, 16)>>>(p, p + (1 << 28), 4);
  // LAYERS: grid 4096 1 1 block 64 1 64 shared 0: _Z6layersPKfPfi{{$}}
  layers<<<dim3(4096, 1, 1), dim3(64, 1, 64)>>>(p, p + (1 << 28), 4);
  // Layers go to blocks of their own.
  // SOLID: grid 16 64 256 block 32 8 1 shared 0: _Z5solidPKfPfiii
  solid<<<dim3(64, 64, 64), dim3(8, 8, 4)>>>(p, p + (1 << 28), 512, 512, 256);
  // SOLID: grid 64 64 64 block 8 8 4 shared 16: _Z5solidPKfPfiii
  solid<<<dim3(64, 64, 64), dim3(8, 8, 4), 16>>>(p, p + (1 << 28), 512, 512, 256);
}
