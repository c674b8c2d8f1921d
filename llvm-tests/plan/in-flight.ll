; How many strips are in flight: what is asked for, as far as the region and the chip allow it. Slots
; of a tile lie behind one another, those of all tiles equally far apart.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1;depth=3>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s -check-prefix=THREE
; THREE: region0: {{.*}}loop0 in strips of 32, depth 3, after a barrier
; THREE-NEXT: tile0: array0 a, unit 4, 1152 cells at byte 0
; THREE: copied in pieces of [16] bytes if aligned
; THREE: tile1: array1 b, unit 4, 1024 cells at byte 4608
; THREE: copied in pieces of [16] bytes if aligned
; THREE: shared: 26112 bytes
; Where four strips of 32 do not fit, shorter ones do.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1;depth=4;shared=20480>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s -check-prefix=FOUR
; FOUR: loop0 in strips of 16, depth 4,
; FOUR: shared: 18432 bytes
; By itself a product gets two slots; switched off, one.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s -check-prefix=PRODUCT
; PRODUCT: loop0 in strips of 16, depth 2,
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1;depth=4;overlap=off>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s -check-prefix=OFF
; OFF: loop0 in strips of 32, depth 1,
; OFF-NOT: copied in pieces
; Elements one by one.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1;depth=2;width=off>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s -check-prefix=NARROW
; NARROW: loop0 in strips of 32, depth 2,
; NARROW-NOT: copied in pieces
; Before sm_80 there are two slots at most, and none by default.
; RUN: sed 's/sm_80/sm_75/g' %S/../plugin/mm.ll > %t.75.ll
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1;depth=4>' -disable-output %t.75.ll 2>&1 | %FileCheck %s -check-prefix=OLD
; OLD: loop0 in strips of 32, depth 2 by registers, after a barrier
; OLD-NOT: copied in pieces
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1>' -disable-output %t.75.ll 2>&1 | %FileCheck %s -check-prefix=OLD-DEFAULT
; OLD-DEFAULT: loop0 in strips of 32, depth 1, after a barrier
; A row walk without reuse: the smaller the block, the longer its strips, by one body.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1>' -disable-output %S/rows.ll 2>&1 | %FileCheck %s -check-prefix=ROWS
; ROWS-LABEL: plan of rows
; ROWS-NEXT: loop0 in strips of 8, depth 4, 16 depth 4 if they fit, 32 depth 4 if they fit
; ROWS-NEXT: tile0: array0 {{.*}}, run-time size at byte 0
; ROWS: pitch extent inside + 4
; ROWS: copied in pieces of [16] bytes if aligned
; ROWS: fact: -2147483648 <= {{[0-9]+}}*ntid.x <= {{[0-9]+}}
; ROWS: shared: 49152 bytes
; Asked for one length or depth, it takes that for all.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1;strip=8;depth=3>' -disable-output %S/rows.ll 2>&1 | %FileCheck %s -check-prefix=ROWS8
; ROWS8-LABEL: plan of rows
; ROWS8-NEXT: loop0 in strips of 8, depth 3{{$}}
; ROWS8: shared: 36864 bytes
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1;block=128>' -disable-output %S/rows.ll 2>&1 | %FileCheck %s -check-prefix=ROWS128
; ROWS128-LABEL: plan of rows
; ROWS128-NEXT: loop0 in strips of 16, depth 4
; ROWS128: shared: 40960 bytes
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1;block=64>' -disable-output %S/rows.ll 2>&1 | %FileCheck %s -check-prefix=ROWS64
; ROWS64-LABEL: plan of rows
; ROWS64-NEXT: loop0 in strips of 32, depth 4
; ROWS64: shared: 36864 bytes
; What keeps one slot says why, and its arrays are staged all the same.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1;depth=2>' -disable-output %S/write-back.ll 2>&1 | %FileCheck %s -check-prefix=WRITTEN
; WRITTEN: in strips of 32, depth 1 (a tile is written)
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1;depth=2>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of corners
; CHECK-NEXT: loop0 in strips of 32, depth 1 (a clipped copy)
; CHECK-NEXT: tile0: array0 a
; CHECK-LABEL: plan of bounded
; CHECK-NEXT: loop0 in strips of {{[0-9]+}}, depth 1 (a box that changes with the strip)
; CHECK-NEXT: tile0: array0 a
; CHECK-LABEL: plan of backwards
; CHECK-NEXT: loop0 in strips of {{[0-9]+}}, depth 2
; CHECK: dim stride 4: -1*iter(loop0)
; CHECK-NOT: copied in pieces
target triple = "nvptx64-nvidia-cuda"
; Two corners of a square: the others are not read.
define ptx_kernel void @corners(ptr noalias %a, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %next = add nuw nsw i32 %k, 1
  %up = mul nsw i32 %k, %n
  %i = add nsw i32 %up, %t
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %i64
  %v = load float, ptr %p
  %down = mul nsw i32 %next, %n
  %j = add nsw i32 %down, %t
  %j1 = add nsw i32 %j, 1
  %j64 = sext i32 %j1 to i64
  %q = getelementptr inbounds float, ptr %a, i64 %j64
  %w = load float, ptr %q
  %m = fmul float %v, %w
  %sum.next = fadd float %sum, %m
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %r = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %r
  ret void
}
; Rows that end before the loop does: in which strip, only the launch knows.
define ptx_kernel void @bounded(ptr noalias %a, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %latch ]
  %inside = icmp slt i32 %k, %n
  br i1 %inside, label %read, label %latch
read:
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %i64
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  br label %latch
latch:
  %sum.next = phi float [ %sum, %loop ], [ %more, %read ]
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %r = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %r
  ret void
}
; Rows from their ends: in flight, but the short strip's rows begin anywhere.
define ptx_kernel void @backwards(ptr noalias %a, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %n
  %last = add nsw i32 %n, -1
  %start = add nsw i32 %row, %last
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %i = sub nsw i32 %start, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %i64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %r = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %r
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
; Merged lanes keep their registers for sums: what is real and the same for all threads is made anew behind the passes, but on chips where that costs more.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=2x2>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s -check-prefix=ANEW
; ANEW: merge 2x2x1 blocks
; ANEW: real numbers anew
; RUN: sed 's/sm_80/sm_90/' %S/../plugin/mm.ll | %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=2x2>' -disable-output - 2>&1 | %FileCheck %s -check-prefix=ALIVE
; ALIVE: merge 2x2x1 blocks
; ALIVE-NOT: anew
; On newer chips not even ids stay alive.
; RUN: sed 's/sm_80/sm_100/' %S/../plugin/mm.ll | %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=2x2>' -disable-output - 2>&1 | %FileCheck %s -check-prefix=IDS
; IDS: merge 2x2x1 blocks
; IDS: ids anew
; IDS-NOT: real numbers anew
