; A limit on a kernel's code: versions that do not fit are left out, those for large grids last.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;form=own;code=100>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s --check-prefix=ALL
; ALL: merge 4x4x1 blocks
; ALL: else version
; ALL-NEXT: merge 2x4x1 blocks
; ALL: else version
; ALL-NEXT: merge 1x2x1 blocks

; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;form=own;code=9>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s --check-prefix=LAST
; LAST-NOT: merge 4x4x1 blocks
; LAST-NOT: merge 2x4x1 blocks
; LAST: merge 1x2x1 blocks
; LAST-NOT: else version

; What was chosen is said, and the kernel becomes that.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<form=own;code=100>' -pass-remarks-analysis=mesi -S %S/../plugin/mm.ll 2>&1 | %FileCheck %s --check-prefix=SAYALL
; SAYALL: mm: 3 of 3 versions are made, about {{[0-9.]+}} times the original's code
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<code=9>' -pass-remarks-analysis=mesi -S %S/../plugin/mm.ll 2>&1 | %FileCheck %s --check-prefix=SAY
; SAY: mm: 1 of 3 versions are made, about {{[0-8]\.[0-9]|9\.0}} times the original's code
; SAY: mesi.dispatch
