; Behind merged strips in flight, ids, lanes' predicates and the results' addresses are made again from the thread's
; number, which crosses all passes in one register: nothing else that only they need is alive in the loop. So is
; what only passes need that are not steady. Neither LLVM nor what follows may find out that it is the same again.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=4x4x1>,verify' -S %S/../plugin/mm.ll | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=4x4x1>,verify,default<O3>' -S %S/../plugin/mm.ll | %FileCheck %s --check-prefix O3
; CHECK: mesi.lead:
; CHECK: %[[Y:.*]] = shl i32 %{{.*}}, 10
; CHECK-NEXT: or i32 %{{.*}}, %[[Y]]
; CHECK: %[[Z:.*]] = shl i32 %{{.*}}, 20
; CHECK-NEXT: %[[IDS:.*]] = or i32 %{{.*}}, %[[Z]]
; CHECK: mesi.other{{[0-9]*}}:
; CHECK-NEXT: %[[COUNT:.*]] = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %[[LEFT:.*]])
; CHECK-NEXT: %[[NEXT:.*]] = add i32 %[[COUNT]], 1
; CHECK-NEXT: %[[EVEN:.*]] = mul i32 %[[COUNT]], %[[NEXT]]
; CHECK-NEXT: %[[ZERO:.*]] = and i32 %[[EVEN]], 1
; CHECK-NEXT: add i32 %[[IDS]], %[[ZERO]]
; Where a thread's second piece lies is worked out in the pass.
; CHECK: %[[TO:.*]] = ptrtoint ptr addrspace(3) %{{.*}} to i64
; CHECK-NEXT: %[[TURN:.*]] = trunc i64 %[[TO]] to i32
; CHECK: call i32 asm "mov.b32 $0, $1;", "=r,r,r"(i32 %{{.*}}, i32 %[[TURN]])
; O3: mesi.lead:
; O3: mesi.other{{[0-9]*}}:
; O3: %[[ODD:.*]] = xor i32 %[[COUNT:.*]], -1
; O3-NEXT: %[[EVEN:.*]] = mul i32 %[[COUNT]], %[[ODD]]
; O3-NEXT: %[[ZERO:.*]] = and i32 %[[EVEN]], 1
; O3-NEXT: %[[IDS:.*]] = add nuw nsw i32 %{{.*}}, %[[ZERO]]
; O3-NEXT: and i32 %[[IDS]], 1023
