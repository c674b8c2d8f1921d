; A tile whose rows are as long as the loop: the pitch is the trip count, computed once at entry, where
; it is also tested that the whole fits. The loop over the tile then has neither copy nor barrier in it.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | %FileCheck %s
; CHECK-LABEL: define ptx_kernel void @average
; CHECK: mesi.test:
; CHECK: call i32 @llvm.smax.i32(i32 {{.*}}, i32 1)
; CHECK: br i1 {{.*}}, label %mesi.setup, label %entry, !mesi.dispatch
; CHECK: mesi.copied:
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: {{ load float, ptr %|call void @llvm.nvvm.barrier}}
; CHECK: load float, ptr addrspace(3)
; CHECK-NOT: {{ load float|call void @llvm.nvvm.barrier}}
; CHECK: {{^}$}}
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @average(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %i = add nsw i32 %t, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
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
