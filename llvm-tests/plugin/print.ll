; Every stage's result can be printed, knobs included; printing changes nothing and writes nothing else.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-kernel;block=16x8>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=KERNEL
; KERNEL: kernel mm
; KERNEL-NEXT: sm_80, at most 1024 threads a block
; KERNEL-NEXT: block cap {{.*}}16{{.*}}8{{.*}}1
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-tree>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=TREE
; TREE: tree of mm
; TREE: loop0
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-accesses>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=ACCESSES
; ACCESSES: accesses of mm
; ACCESSES: access2: Store 4 bytes of array2
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-affine>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=AFFINE
; AFFINE: affine of mm
; AFFINE: access0: array0 +
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=PLAN
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate;force>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=GATE
; GATE: define zeroext i1 @"mm$mesi$0$gate"(ptr %0, ptr %1)
; PLAN: plan of mm
; PLAN: tile0: array0
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>,print<mesi-affine>' -S %S/mm.ll -o %t.printed.ll 2> %t.err && %opt -S %S/mm.ll -o %t.ll && cmp %t.ll %t.printed.ll
