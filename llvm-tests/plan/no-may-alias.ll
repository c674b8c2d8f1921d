; A store through a pointer that may be the staged array, to a place that data decides: no range can be
; tested at entry. With __restrict__ it is other memory.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of scatter
; CHECK: array{{[0-9]}} x not staged: MayAlias (access{{[0-9]}} may write it, and its range is not known at entry)
; CHECK-LABEL: plan of restrict
; CHECK: tile{{[0-9]}}: array{{[0-9]}} x,
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @scatter(ptr %x, ptr noalias %y, ptr %z, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load i32, ptr %p
  %sum.next = fadd float %sum, 1.0
  %j64 = sext i32 %v to i64
  %to = getelementptr inbounds float, ptr %z, i64 %j64
  store float %sum.next, ptr %to
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @restrict(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load i32, ptr %p
  %sum.next = fadd float %sum, 1.0
  %j64 = sext i32 %v to i64
  %to = getelementptr inbounds float, ptr %z, i64 %j64
  store float %sum.next, ptr %to
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
