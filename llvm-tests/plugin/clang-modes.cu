// One command compiles host and device with the plug-in in every way clang drives CUDA. The count of
// remarks is the count of device compiles: the host side has no kernel to remark on.
// REQUIRES: cuda
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-only=x -Rpass-missed=mesi 2>&1 | grep -c 'kernel one: only' | grep -x 1
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -fgpu-rdc -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-only=x -Rpass-missed=mesi 2>&1 | grep -c 'kernel one: only' | grep -x 1
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 --offload-new-driver -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-only=x -Rpass-missed=mesi 2>&1 | grep -c 'kernel one: only' | grep -x 1
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -flto -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-only=x -Rpass-missed=mesi 2>&1 | grep -c 'kernel one: only' | grep -x 1
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -fgpu-rdc -foffload-lto -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-only=x -Rpass-analysis=mesi 2>&1 | grep -c 'one: left alone: its machine code is made at the link' | grep -x 1
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_75 --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O2 -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-only=x -Rpass-missed=mesi 2>&1 | grep -c 'kernel one: only' | grep -x 3
// The variable reaches every compile, those that take no -mllvm included.
// RUN: cd %t.dir 2> /dev/null || mkdir %t.dir && cd %t.dir && MESI_ONLY=x %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -save-temps -c %s -o %t.o -fpass-plugin=%mesi -Rpass-missed=mesi 2>&1 | grep -c 'kernel one: only' | grep -x 1
__global__ void one(float *p) { p[0] = 1; }
void launch(float *p) { one<<<1, 1>>>(p); }
