; Behind merged strips in flight, ids, lanes' predicates and the results' addresses are made again from the thread's
; number, which is read again: nothing that only they need is alive in the loop. So is what only passes need that
; are not steady. Neither LLVM nor what follows may find out that it is the same again.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=4x4x1>,verify' -S %S/../plugin/mm.ll | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=4x4x1>,verify,default<O3>' -S %S/../plugin/mm.ll | %FileCheck %s --check-prefix O3
; CHECK: mesi.other{{[0-9]*}}:
; CHECK: mesi.other{{[0-9]*}}:
; CHECK: mesi.other{{[0-9]*}}:
; CHECK: %[[COUNT:.*]] = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %[[LEFT:.*]])
; CHECK-NEXT: %[[NEXT:.*]] = add i32 %[[COUNT]], 1
; CHECK-NEXT: %[[EVEN:.*]] = mul i32 %[[COUNT]], %[[NEXT]]
; CHECK-NEXT: %[[ZERO:.*]] = and i32 %[[EVEN]], 1
; CHECK-NEXT: %[[ID:.*]] = call i32 asm "mov.u32 $0, %tid.{{[xyz]}};", "=r,r,r"(i32 %{{.*}}, i32 %[[COUNT]])
; CHECK-NEXT: %[[SUM:.*]] = add i32 %[[ID]], %[[ZERO]]
; CHECK-NEXT: and i32 %[[SUM]], 1023
; Where a thread's second piece lies is worked out in the pass.
; CHECK: %[[TO:.*]] = ptrtoint ptr addrspace(3) %{{.*}} to i64
; CHECK-NEXT: %[[TURN:.*]] = trunc i64 %[[TO]] to i32
; CHECK: call i32 asm "mov.b32 $0, $1;", "=r,r,r"(i32 %{{.*}}, i32 %[[TURN]])
; O3: %[[ID:.*]] = tail call i32 asm "mov.u32 $0, %tid.z;", "=r,r,r"(i32 %{{.*}}, i32 %{{.*}})
; O3-NEXT: %[[SUM:.*]] = add i32 %{{.*}}%[[ID]]
; O3-NEXT: and i32 %[[SUM]], 1023
