; The same file given twice registers its callbacks twice; the second run leaves the module alone.
; RUN: %opt -load-pass-plugin %mesi -load-pass-plugin %mesi -passes='default<O2>' -pass-remarks-analysis=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s
; CHECK: mm: left alone: mesi has been over this module
; CHECK-NOT: left alone
; Two copies are two libraries: the second steps back and says so, and the first still runs.
; RUN: cp %mesi %t.so && %opt -load-pass-plugin %mesi -load-pass-plugin %t.so -passes='mesi<only=x>' -pass-remarks-missed=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=COPY
; COPY: warning: mesi: a second copy of libmesi.so is loaded; only the first one runs
; COPY-NOT: warning
; COPY: only 'x' was asked for
; COPY-NOT: only 'x'
