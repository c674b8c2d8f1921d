// Device code that fatbinary packs, as it does with long code: its kernels have their versions. Where it is of a kind that is not known,
// a remark says so.
// REQUIRES: cuda
// RUN: rm -rf %t.d && mkdir -p %t.d && cd %t.d && %clang -x cuda %cuda-flags --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%mesi -c %s -o plain.o -save-temps
// RUN: cd %t.d && for m in size speed balance; do %cuda/bin/fatbinary -64 --create $m.fatbin --compress-all --compress-mode=$m --image3=kind=elf,sm=90,file=$(ls *sm_90.o); done
// RUN: cd %t.d && for m in size speed balance; do test $(wc -c < $m.fatbin) -lt $(wc -c < $(ls *-cuda.fatbin)); done
// RUN: cd %t.d && for m in size speed balance; do %clang -x cuda %cuda-flags --cuda-host-only -O2 -S -emit-llvm -fpass-plugin=%mesi -Xclang -fcuda-include-gpubinary -Xclang $m.fatbin %s -o - | %FileCheck %s; done
// CHECK: call{{.*}} i32 @mesi_launch(ptr {{[a-z ]*}}@"_Z4copyPKfPfi$mesi.0"
// The image's kind is what it is not.
// RUN: cd %t.d && printf '\003' > kind && cp size.fatbin other.fatbin && dd if=kind of=other.fatbin bs=1 seek=16 conv=notrunc 2> dd.log
// RUN: cd %t.d && %clang -x cuda %cuda-flags --cuda-host-only -O2 -S -emit-llvm -fpass-plugin=%mesi -Rpass-analysis=mesi -Xclang -fcuda-include-gpubinary -Xclang other.fatbin %s -o - 2>&1 | %FileCheck %s --check-prefix=OTHER
// OTHER: remark: {{.*}}copy: its launches stay as they are: device code is packed in a way that is not known, or of another kind (-Xcuda-fatbinary --compress=false)
// OTHER: call{{.*}} i32 @cudaLaunchKernel(
__global__ void copy(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i];
}
int main() {
  copy<<<dim3{1 << 20}, dim3{256}>>>(nullptr, nullptr, 1 << 28);
}
