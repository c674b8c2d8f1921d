; A strip's store tile in the slots of what is read: the strip is waited for, all meet, the next copies begin,
; the strip is used, all meet again, and the slot is written back. That slot is filled again only behind
; the next meeting.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=off>' -S %s | %FileCheck %s
; CHECK-LABEL: define ptx_kernel void @copied
; CHECK: {{^mesi.strip:}}
; CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 0)
; CHECK: call void @llvm.nvvm.barrier
; CHECK: call void @llvm.nvvm.cp.async.commit.group
; CHECK: {{^mesi.run:}}
; CHECK: load float, ptr addrspace(3) [[CELL:%[0-9]+]]
; CHECK: store float {{.*}}, ptr addrspace(3)
; CHECK: call void @llvm.nvvm.barrier
; CHECK: load i32, ptr addrspace(3)
; CHECK: store i32 {{.*}}, ptr %
; CHECK-NOT: call void @llvm.nvvm.barrier
; CHECK: {{^}$}}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @copied(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %n
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p, align 4
  %w = fadd float %v, 1.0
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %w, ptr %q, align 4
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" }
