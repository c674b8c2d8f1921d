; The pass counts in LLVM's own bisecting, so it can be left out like any other.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<only=x>' -opt-bisect-limit=0 -pass-remarks-missed=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s
; CHECK: BISECT: NOT running pass ({{[0-9]+}}) mesi on [module]
; CHECK-NOT: not staged
