; Behind merged strips in flight, where lanes lie side by side, ids, lanes' predicates and the results' addresses are made again from the thread's
; ids, which come through the passes packed into one number: nothing else that only they need is alive in the loop. So
; is what only passes need that are not steady. Neither LLVM nor what follows may find out that it is the same again.
; A real number has a register in each thread even where it is the same in all of them: it is made again too.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=4x4x1>,verify' -S %S/../plugin/mm.ll | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=4x4x1>,verify,default<O3>' -S %S/../plugin/mm.ll | %FileCheck %s --check-prefix O3
; CHECK: %[[X:.*]] = shl i32 %[[TID_X:.*]], 0
; CHECK-NEXT: %[[Y:.*]] = shl i32 %[[TID_Y:.*]], 10
; CHECK-NEXT: %[[BEHIND:.*]] = or i32 %[[X]], %[[Y]]
; CHECK: %[[Z:.*]] = shl i32 %{{.*}}, 20
; CHECK-NEXT: %[[ALL:.*]] = or i32 %{{.*}}, %[[Z]]
; CHECK-NEXT: br label %mesi.strip
; CHECK: mesi.strip:
; CHECK: mesi.other{{[0-9]*}}:
; CHECK-NEXT: %[[COUNT:.*]] = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %[[LEFT:.*]])
; CHECK-NEXT: %[[NEXT:.*]] = add i32 %[[COUNT]], 1
; CHECK-NEXT: %[[EVEN:.*]] = mul i32 %[[COUNT]], %[[NEXT]]
; CHECK-NEXT: %[[ZERO:.*]] = and i32 %[[EVEN]], 1
; CHECK-NEXT: %[[SUM:.*]] = add i32 %[[ALL]], %[[ZERO]]
; CHECK-NEXT: %[[LOW:.*]] = lshr i32 %[[SUM]], 0
; CHECK-NEXT: and i32 %[[LOW]], 1023
; CHECK-NEXT: %[[MID:.*]] = lshr i32 %[[SUM]], 10
; CHECK-NEXT: and i32 %[[MID]], 1023
; CHECK-NEXT: %[[HIGH:.*]] = lshr i32 %[[SUM]], 20
; CHECK-NEXT: and i32 %[[HIGH]], 1023
; CHECK: %[[WIDTH:.*]] = add i32 %{{.*}}, %[[ZERO]]
; CHECK-NEXT: %[[REAL:.*]] = uitofp i32 %[[WIDTH]] to float
; CHECK-NEXT: call float @llvm.nvvm.rcp.approx.ftz.f(float %[[REAL]])
; Where a thread's second piece lies is worked out in the pass.
; CHECK: %[[TO:.*]] = ptrtoint ptr addrspace(3) %{{.*}} to i64
; CHECK-NEXT: %[[TURN:.*]] = trunc i64 %[[TO]] to i32
; CHECK: call i32 asm "mov.b32 $0, $1;", "=r,r,r"(i32 %{{.*}}, i32 %[[TURN]])
; CHECK: add i32 %[[BEHIND]], %{{.*}}
; CHECK-NOT: mov.u32
; Where the chip's assembler would spill for the packed number, all of it is read again, each id behind the passes.
; RUN: sed 's/sm_80/sm_120/' %S/../plugin/mm.ll | %opt -load-pass-plugin %mesi -passes='mesi<force;merge=4x4x1>,verify' -S - | %FileCheck %s --check-prefix IDS
; IDS-LABEL: define ptx_kernel void
; IDS-NOT: shl i32 %{{.*}}, 10
; IDS: call i32 asm "mov.u32 $0, %tid.x;", "=r,r,r"
; IDS: call i32 asm "mov.u32 $0, %tid.y;", "=r,r,r"
; O3: shl nuw{{.*}} i32 %{{.*}}, 20
; O3: uitofp
