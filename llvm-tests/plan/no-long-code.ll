; Where no version is as short as was asked for, the kernel stays as it is, and says why.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;code=2>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s --check-prefix=PLAN
; PLAN-LABEL: plan of mm
; PLAN-NOT: region
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<code=2>' -pass-remarks-analysis=mesi -pass-remarks-missed=mesi -S %S/../plugin/mm.ll 2>&1 | %FileCheck %s
; CHECK: mm: none of 3 versions is as short as was asked for
; CHECK: not staged: kernel mm: every version makes its code longer than the code option allows (LongCode)
; CHECK-NOT: mesi.dispatch
; CHECK: define {{.*}} @mm
