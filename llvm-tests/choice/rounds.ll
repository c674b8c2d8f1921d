; Loops that run in rounds if aligned: launches without a whole round are not sure to gain, and the version itself asks nothing.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;host;launch=4:64:_:_:256:15+4:64:_:_:256:16>' -disable-output %S/../lower/rounds-registers.ll 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of once
; CHECK-NOT: fact:
; CHECK: asked by the host alone: 16 <= trip(loop0)
; CHECK: launch 4x1x1:64x1x1:_:_:256:15: original
; CHECK: launch 4x1x1:64x1x1:_:_:256:16: version 0
; Where the host does not choose, the kernel runs rounds in all launches.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;launch=4:64:_:_:256:15>' -disable-output %S/../lower/rounds-registers.ll 2>&1 | %FileCheck %s --check-prefix=ALONE
; ALONE: launch 4x1x1:64x1x1:_:_:256:15: version 0
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate>' -disable-output %S/../lower/rounds-registers.ll 2>&1 | %FileCheck %s --check-prefix=GATE
; GATE: define zeroext i1 @"once$mesi$0$pays$gate"(
; GATE: icmp uge i32 %{{.*}}, 16
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<form=own>,verify' -S %S/../lower/rounds-registers.ll | %FileCheck %s --check-prefix=BOTH
; BOTH-LABEL: define ptx_kernel void @once(
; BOTH-NOT: mesi.
; BOTH-LABEL: define ptx_kernel void @"once$mesi$0"(
; BOTH: br i1 true, label %mesi.setup, label %entry,
; Where the loop's length differs by thread nobody asks.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate;shared=0;merge=off;abreast=1;regroup=off>' -disable-output %S/../plan/rounds.ll 2>&1 | %FileCheck %s --check-prefix=SOME
; SOME-LABEL: define zeroext i1 @"triangle$mesi$0$pays$gate"(
; SOME-NEXT: ret i1 true
; SOME-LABEL: define zeroext i1 @"table$mesi$0$pays$gate"(
; SOME: icmp
