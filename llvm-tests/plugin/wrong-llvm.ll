; A host that is not linked to our libLLVM gets one line and exit status 1, not a crash later on.
; RUN: echo '#include <dlfcn.h>' > %t.c
; RUN: echo 'struct info { long field[5]; };' >> %t.c
; RUN: echo 'int main(int n, char **a) { void *l = dlopen(a[1], RTLD_NOW);' >> %t.c
; RUN: echo '  struct info (*f)(void) = (struct info (*)(void))dlsym(l, "llvmGetPassPluginInfo"); f(); return 0; }' >> %t.c
; RUN: %clang -x c %t.c -ldl -o %t.host
; RUN: %not %t.host %mesi > %t.err 2>&1
; RUN: %FileCheck %s < %t.err && test $(wc -l < %t.err) = 1
; CHECK: error: mesi: libmesi.so is built for libLLVM.so.22.1, which this compiler does not use
