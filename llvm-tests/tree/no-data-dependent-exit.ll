; A search leaves its loop as soon as it has found: later iterations may read past what any thread
; reads, and threads leave at different times. Without the break the table is staged.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of search
; CHECK-NOT: tile
; CHECK: array0 table not staged: DataDependentExit (access0 is in a loop that is left from more than one place)
; CHECK-LABEL: plan of count
; CHECK: tile0: array0 table
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @search(ptr noalias %table, ptr noalias %y, i32 %n, i32 %what) #0 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %more ]
  %i = zext nneg i32 %k to i64
  %at = getelementptr inbounds i32, ptr %table, i64 %i
  %x = load i32, ptr %at
  %found = icmp eq i32 %x, %what
  br i1 %found, label %end, label %more
more:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  %where = phi i32 [ %k, %loop ], [ -1, %more ]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = zext nneg i32 %t to i64
  %q = getelementptr inbounds i32, ptr %y, i64 %j
  store i32 %where, ptr %q
  ret void
}
define ptx_kernel void @count(ptr noalias %table, ptr noalias %y, i32 %n, i32 %what) #0 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %i = zext nneg i32 %k to i64
  %at = getelementptr inbounds i32, ptr %table, i64 %i
  %x = load i32, ptr %at
  %found = icmp eq i32 %x, %what
  %one = zext i1 %found to i32
  %sum.next = add i32 %sum, %one
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = zext nneg i32 %t to i64
  %q = getelementptr inbounds i32, ptr %y, i64 %j
  store i32 %sum.next, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
