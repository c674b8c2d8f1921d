; A version's entry tests as a function of what a launch knows; the kernel stays as it was; both only where host
; code can ask.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate;force>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s
; CHECK: define zeroext i1 @"mm$mesi$0$gate"(ptr [[ARGS:%.*]], ptr [[LAUNCH:%.*]])
; n is the fourth argument.
; CHECK: [[PLACE:%.*]] = getelementptr ptr, ptr [[ARGS]], i64 3
; CHECK-NEXT: [[N:%.*]] = load ptr, ptr [[PLACE]]
; CHECK-NEXT: load i32, ptr [[N]]
; CHECK: load i32, ptr [[LAUNCH]]
; CHECK: ret i1 true
; CHECK: ret i1 false
; CHECK-NOT: nsw
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;form=own>' -pass-remarks-analysis=mesi -S %S/../plugin/mm.ll -o %t.ll 2>&1 | %FileCheck %s -check-prefix=SAID
; SAID: mm: {{[0-9]}} versions are kernels of their own beside it: host code that is compiled with mesi measures which is fastest
; RUN: %FileCheck %s -check-prefix=BOTH < %t.ll
; BOTH: @"mm$mesi$0$gate" = internal addrspace(1) constant [{{[0-9]+}} x i8] c"MESIGATE\09\00\00\00{{.*}}mm$mesi$0BC\C0\DE
; BOTH: @"mm$mesi$0$pays$gate" = internal addrspace(1) constant [{{[0-9]+}} x i8] c"MESIGATE\0E\00\00\00{{.*}}mm$mesi$0$paysBC\C0\DE
; BOTH: @"mm$mesi$gate" = internal addrspace(1) constant [{{[0-9]+}} x i8] c"MESIGATE\07\00\00\00{{.*}}mm$mesi
; BOTH: @llvm.compiler.used = {{.*}}@"mm$mesi$0$gate"
; BOTH-LABEL: define ptx_kernel void @mm(
; BOTH-NOT: mesi.
; BOTH-LABEL: define ptx_kernel void @"mm$mesi$0"(
; BOTH: !mesi.dispatch
; BOTH: attributes #{{.*}} "mesi.staged"{{.*}} "mesi.version"
; Of itself opt adds neither.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %S/../plugin/mm.ll | %FileCheck %s -check-prefix=ALONE
; ALONE-NOT: $mesi$
; ALONE-NOT: $gate
