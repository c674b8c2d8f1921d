; Where ids occur otherwise than as the global id, blocks are not merged along that dimension.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=2>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of tid_alone
; CHECK-NEXT: no merge: ids along x are not used as the global id
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @tid_alone(ptr noalias noundef readonly %a, ptr noalias noundef writeonly %c, i32 noundef %n) #0 {
entry:
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %i = add nuw nsw i32 %k, %t
  %ti = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %ti
  %v = load i32, ptr %p, align 4
  %more = add i32 %sum, %v
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %store, label %loop
store:
  %j = zext nneg i32 %t to i64
  %q = getelementptr inbounds i32, ptr %c, i64 %j
  store i32 %more, ptr %q, align 4
  br label %exit
exit:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
