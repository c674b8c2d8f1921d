; The body of merged blocks: followers end at once, lane 0 is sure and the others may lie behind the grid,
; every sum of the four lanes is there once per iteration, stores are guarded lane by lane.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=2x2;overlap=off>,verify' -S %S/../plugin/mm.ll | %FileCheck %s
; CHECK: define ptx_kernel void @mm(
; CHECK: mesi.setup{{[0-9]*}}:
; CHECK: br i1 %{{.*}}, label %mesi.lead, label %mesi.follow
; CHECK: mesi.follow:
; CHECK-NEXT: ret void
; CHECK: mesi.loop{{[0-9]*}}:
; CHECK-COUNT-4: call float @llvm.fmuladd.f32(
; CHECK-NOT: fma.rn.f(
; CHECK: br i1 %{{.*}}, !llvm.loop
