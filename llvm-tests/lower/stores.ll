; A store tile: no copy and no barrier before its use, a barrier before the write-back, under the bounds
; of the guard and of the block, and none behind it where nothing follows.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | %FileCheck %s
; CHECK-LABEL: define ptx_kernel void @transpose
; CHECK: !mesi.dispatch
; CHECK-NOT: call void @llvm.nvvm.barrier
; CHECK: load float, ptr %
; CHECK: store float {{.*}}, ptr addrspace(3)
; CHECK: call void @llvm.nvvm.barrier
; CHECK: load i32, ptr addrspace(3)
; CHECK: store i32 {{.*}}, ptr %
; CHECK-NOT: call void @llvm.nvvm.barrier
; CHECK: ret void
; CHECK: {{^}$}}
; CHECK-LABEL: define ptx_kernel void @rows
; CHECK: !mesi.dispatch
; CHECK: {{^mesi.strip:}}
; CHECK-NOT: call void @llvm.nvvm.barrier
; CHECK: store float 1.000000e+00, ptr addrspace(3)
; CHECK: {{^mesi.done:}}
; CHECK-NEXT: call void @llvm.nvvm.barrier
; CHECK: load i32, ptr addrspace(3)
; CHECK: {{^mesi.copied:}}
; CHECK: call void @llvm.nvvm.barrier
; CHECK: store i32 {{.*}}, ptr %
; CHECK: store float 1.000000e+00, ptr addrspace(3)
; CHECK: {{^mesi.done[0-9]+:}}
; CHECK-NEXT: call void @llvm.nvvm.barrier
; CHECK: {{^mesi.copied[0-9]+:}}
; CHECK-NEXT: call void @llvm.nvvm.barrier
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @transpose(ptr %in, ptr %out, i32 %h, i32 %w, i32 %any) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %ok = icmp slt i32 %x, %w
  br i1 %ok, label %work, label %end
work:
  %from = mul i32 %y, %y
  %a = zext i32 %from to i64
  %p = getelementptr inbounds float, ptr %in, i64 %a
  %v = load float, ptr %p
  %row = mul nsw i32 %x, %h
  %i = add nsw i32 %row, %y
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %out, i64 %i64
  store float %v, ptr %q
  br label %end
end:
  ret void
}
; Behind the loop the row is read again, in part what other threads wrote back.
define ptx_kernel void @rows(ptr noalias %y, ptr noalias %z, i32 %n, i32 %pitch) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %pitch
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float 1.0, ptr %q
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %odd = mul i32 %t, %t
  %o = zext i32 %odd to i64
  %p = getelementptr inbounds float, ptr %y, i64 %o
  %v = load float, ptr %p
  %t64 = zext nneg i32 %t to i64
  %r = getelementptr inbounds float, ptr %z, i64 %t64
  store float %v, ptr %r
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
