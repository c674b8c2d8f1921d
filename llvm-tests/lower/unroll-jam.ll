; Iterations abreast: no barrier, no shared memory. A full round loads one element for all lanes and one for each,
; stores nothing in the inner loop, and then stores lane by lane, each lane its sum twice. In a round that is
; partly the thread's own, each lane's stores stand under a branch of their own.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<unroll-jam=3>,verify' -S %S/../plan/unroll-jam.ll | %FileCheck %s
; CHECK-NOT: addrspace(3)
; CHECK: define ptx_kernel void @symmetric(
; CHECK-NOT: barrier
; CHECK: mesi.round:
; CHECK: mesi.full:
; CHECK-NOT: store
; CHECK: mesi.part:
; CHECK: call i64 @llvm.smin.i64
; CHECK: mesi.loop{{.*}}:
; CHECK-COUNT-4: load float
; CHECK-NOT: load
; CHECK-NOT: store
; CHECK: br i1 %{{.*}}, label %mesi.loop
; CHECK: store float 0.000000e+00
; CHECK: store float
; CHECK: store float
; CHECK: store float 0.000000e+00
; CHECK: "nvvm.maxnreg"="64"
