; An integer that fills only a part of its place in memory: a copy of the place would touch bytes that nobody reads, or that are no one's.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of odd
; CHECK-NOT: tile
; CHECK: UnknownBase
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @odd(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds [4 x i8], ptr %x, i64 %k64
  %v = load i24, ptr %p
  %wide = zext i24 %v to i32
  %sum.next = add i32 %sum, %wide
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds i32, ptr %y, i64 %t64
  store i32 %sum.next, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
