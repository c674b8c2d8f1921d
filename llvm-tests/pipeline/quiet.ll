; The original's loop stays as the assembler leaves it in a kernel of its own. ptxas does not unroll a loop whose
; latch branches out and then jumps back, which is what is written where the exit's block does not come next; in a
; kernel with two bodies it would. The original's loop is marked, no other one; LLVM unrolls it by its own rules, and
; in the end it is told to be left alone. Where the exit comes next ptxas unrolls anyway, and nothing is said; nor where
; there are several loops.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='default<O2>' -mesi-force -S %s | %FileCheck %s -check-prefix=END
; CHECK-LABEL: define {{.*}}@before
; CHECK: br i1 %last, label %done, label %loop, !llvm.loop [[MARKED:![0-9]+]]
; CHECK: mesi.tiles.before
; CHECK-LABEL: define {{.*}}@behind
; CHECK: br i1 %last, label %done, label %loop{{$}}
; CHECK: mesi.tiles.behind
; CHECK-LABEL: define {{.*}}@several
; CHECK: br i1 %last, label %done, label %loop{{$}}
; CHECK: br i1 %last2, label %end, label %loop2{{$}}
; CHECK: mesi.tiles.several
; CHECK: [[MARKED]] = distinct !{[[MARKED]], [[QUIET:![0-9]+]]}
; CHECK: [[QUIET]] = !{!"mesi.quiet"}
; CHECK-NOT: mesi.quiet
; END-LABEL: define {{.*}}@before
; END: loop:
; END-COUNT-2: load float
; END: br i1 {{.*}}label %loop, !llvm.loop [[LEFT:![0-9]+]]
; END-NOT: mesi.quiet
; END: [[DISABLE:![0-9]+]] = !{!"llvm.loop.unroll.disable"}
; END: [[LEFT]] = distinct !{[[LEFT]], [[DISABLE]]}
; END-NOT: mesi.quiet
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @before(ptr noalias readonly %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = zext nneg i32 %t to i64
  %px = getelementptr inbounds float, ptr %x, i64 %row
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %done
done:
  %sum = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %py = getelementptr inbounds float, ptr %y, i64 %row
  store float %sum, ptr %py
  ret void
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %w = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %px, i64 %w
  %v = load float, ptr %p
  %s.next = fadd contract float %s, %v
  %k.next = add nuw nsw i32 %k, 1
  %last = icmp eq i32 %k.next, %n
  br i1 %last, label %done, label %loop
}
define ptx_kernel void @behind(ptr noalias readonly %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = zext nneg i32 %t to i64
  %px = getelementptr inbounds float, ptr %x, i64 %row
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %w = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %px, i64 %w
  %v = load float, ptr %p
  %s.next = fadd contract float %s, %v
  %k.next = add nuw nsw i32 %k, 1
  %last = icmp eq i32 %k.next, %n
  br i1 %last, label %done, label %loop
done:
  %sum = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %py = getelementptr inbounds float, ptr %y, i64 %row
  store float %sum, ptr %py
  ret void
}
define ptx_kernel void @several(ptr noalias readonly %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = zext nneg i32 %t to i64
  %px = getelementptr inbounds float, ptr %x, i64 %row
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
done:
  br label %loop2
end:
  %sum = phi float [ 0.0, %entry ], [ %s2.next, %loop2 ]
  %py = getelementptr inbounds float, ptr %y, i64 %row
  store float %sum, ptr %py
  ret void
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %w = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %px, i64 %w
  %v = load float, ptr %p
  %s.next = fadd contract float %s, %v
  %k.next = add nuw nsw i32 %k, 1
  %last = icmp eq i32 %k.next, %n
  br i1 %last, label %done, label %loop
loop2:
  %k2 = phi i32 [ 0, %done ], [ %k2.next, %loop2 ]
  %s2 = phi float [ %s.next, %done ], [ %s2.next, %loop2 ]
  %w2 = zext nneg i32 %k2 to i64
  %p2 = getelementptr inbounds float, ptr %px, i64 %w2
  %v2 = load float, ptr %p2
  %s2.next = fadd contract float %s2, %v2
  %k2.next = add nuw nsw i32 %k2, 1
  %last2 = icmp eq i32 %k2.next, %n
  br i1 %last2, label %end, label %loop2
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" }
