; Threads leave the outer loop at different times, and the copy stands in it: the block goes on while
; any thread does, which a reduction over the block tells before each round, the first included, and
; those that are done only help to copy. What was a branch of each thread is a predicate.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | %FileCheck %s
; CHECK-LABEL: define ptx_kernel void @grid_stride
; CHECK: !mesi.dispatch
; CHECK: mesi.loop:
; CHECK: [[ANY:%.*]] = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 {{.*}}), !mesi.barrier
; CHECK-NEXT: br i1 [[ANY]], label
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier
; CHECK: load float, ptr addrspace(3)
; CHECK: store float {{.*}}, ptr %
; CHECK-NOT: barrier.cta.red.or
; CHECK: {{^}$}}
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @grid_stride(ptr %w, ptr noalias %y, i32 %n, i32 %m, ptr %z) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %base = mul i32 %b, %d
  %first = add i32 %base, %t
  %step = mul i32 %g, %d
  %in = icmp slt i32 %first, %n
  br i1 %in, label %outer, label %end
outer:
  %i = phi i32 [ %first, %entry ], [ %i.next, %latch ]
  br label %loop
loop:
  %k = phi i32 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ 0.0, %outer ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %w, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %loop, label %latch
latch:
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %z, i64 %i64
  store float %sum.next, ptr %q
  %i.next = add nsw i32 %i, %step
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
