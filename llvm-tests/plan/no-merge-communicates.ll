; Blocks that may wait for or look at one another are not merged: here an atomic counts them.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=2>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of counted
; CHECK-NEXT: no merge: threads or blocks may communicate
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @counted(ptr noalias noundef readonly %a, ptr noalias noundef %count, ptr noalias noundef writeonly %c, i32 noundef %n) #0 {
entry:
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %old = atomicrmw add ptr %count, i32 1 monotonic
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %i = zext nneg i32 %k to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %v = load i32, ptr %p, align 4
  %more = add i32 %sum, %v
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %store, label %loop
store:
  %j = zext nneg i32 %t to i64
  %q = getelementptr inbounds i32, ptr %c, i64 %j
  %both = add i32 %more, %old
  store i32 %both, ptr %q, align 4
  br label %exit
exit:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
