; The kernel's entry tests as a function of what a launch knows; the original beside it, as it was; both only where host
; code can ask.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate;force>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s
; CHECK: define zeroext i1 @"mm$gate"(ptr [[ARGS:%.*]], ptr [[LAUNCH:%.*]])
; n is the fourth argument.
; CHECK: [[PLACE:%.*]] = getelementptr ptr, ptr [[ARGS]], i64 3
; CHECK-NEXT: [[N:%.*]] = load ptr, ptr [[PLACE]]
; CHECK-NEXT: load i32, ptr [[N]]
; CHECK: load i32, ptr [[LAUNCH]]
; CHECK: ret i1 true
; CHECK: ret i1 false
; CHECK-NOT: nsw
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;host>' -pass-remarks-analysis=mesi -S %S/../plugin/mm.ll -o %t.ll 2>&1 | %FileCheck %s -check-prefix=SAID
; SAID: mm: the original is kept beside it: host code that is compiled with mesi launches that where nothing is gained
; RUN: %FileCheck %s -check-prefix=BOTH < %t.ll
; BOTH: @"mm$gate" = internal addrspace(1) constant [{{[0-9]+}} x i8] c"MESIGATE\02\00\00\00{{.*}}mmBC\C0\DE
; BOTH: @llvm.compiler.used = {{.*}}@"mm$gate"
; BOTH-LABEL: define ptx_kernel void @mm(
; BOTH: !mesi.dispatch
; BOTH-LABEL: define ptx_kernel void @"mm$original"(
; BOTH-NOT: mesi.dispatch
; BOTH: !llvm.loop [[LOOP:![0-9]+]]
; BOTH: ret void
; Its loops are lengthened as those of the original inside; then they get as many registers (no-registers.cu).
; BOTH: attributes #{{.*}} "mesi.original"
; BOTH: [[LONG:![0-9]+]] = !{!"mesi.long"}
; BOTH: [[LOOP]] = distinct !{[[LOOP]], {{.*}}[[LONG]]}
; Of itself opt adds neither.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %S/../plugin/mm.ll | %FileCheck %s -check-prefix=ALONE
; ALONE-NOT: $original
; ALONE-NOT: $gate
