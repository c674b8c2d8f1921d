// `only` takes a symbol, a source name, or a source name with its scope.
// REQUIRES: cuda
// RUN: for name in _ZN2ns3oneEPf one ns::one; do \
// RUN:   %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-only=$name -Rpass-missed=mesi 2>&1 \
// RUN:   | %FileCheck %s; done
// CHECK-NOT: kernel ns::one: only
// CHECK: kernel many: only '{{.*one.*}}' was asked for (Disabled)
// CHECK-NOT: kernel ns::one: only
// All instances of a template have its name.
// RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -O2 -c %s -o %t.o -fpass-plugin=%mesi -mllvm -mesi-only=many -Rpass-missed=mesi 2>&1 | %FileCheck %s -check-prefix=MANY
// MANY-NOT: kernel many: only
// MANY: kernel ns::one: only 'many' was asked for
// MANY-NOT: kernel many: only
namespace ns {
__global__ void one(float *p) { p[0] = 1; }
}
template <int N> __global__ void many(float *p) { p[0] = N; }
template __global__ void many<2>(float *);
template __global__ void many<3>(float *);
