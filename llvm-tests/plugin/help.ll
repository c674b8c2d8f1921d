; Every knob is in --help, with what it takes and what its default is.
; RUN: %opt -load-pass-plugin %mesi --help | %FileCheck %s
; CHECK-DAG: --mesi-unroll=<iterations> {{.*}}(default by kernel)
; CHECK-DAG: --mesi-unroll-jam=<iterations> {{.*}}(default by kernel)
; CHECK-DAG: --mesi-block=<XxYxZ> {{.*}}(default
; CHECK-DAG: --mesi-code=<times> {{.*}}(default no limit)
; CHECK-DAG: --mesi-disable[=<on|off>] {{.*}}(default off)
; CHECK-DAG: --mesi-force[=<on|off>] {{.*}}(default off)
; CHECK-DAG: --mesi-fuel=<arrays> {{.*}}(default no limit)
; CHECK-DAG: --mesi-form=<own|inside> {{.*}}(default own in clang, inside in opt)
; CHECK-DAG: --mesi-kernels=<N> {{.*}}(default 4)
; CHECK-DAG: --mesi-keep-rolled[=<on|off>] {{.*}}(default off)
; CHECK-DAG: --mesi-only=<kernel> {{.*}}(default all)
; CHECK-DAG: --mesi-shared=<bytes> {{.*}}(default
; CHECK-DAG: --mesi-strip=<iterations> {{.*}}(default
; CHECK-DAG: --mesi-verify[=<on|off>] {{.*}}(default on)
; RUN: echo 'int x;' > %t.c && %clang -x c -fpass-plugin=%mesi -mllvm --help -c %t.c -o %t.o | %FileCheck %s
