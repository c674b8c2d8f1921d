; Threads run the loop `t` times each: a copy in it would not be reached by all, and before it no
; element is known to be read by anyone. A bound that all threads share is the twin. A tile that moves
; with a thread index cannot be filled in an outer loop that threads leave at different times either.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of triangle
; CHECK-NOT: tile
; CHECK: array0 x not staged: DivergentLoop (loop0 runs a different number of times for different threads)
; CHECK-LABEL: plan of square
; CHECK: tile0: array0 x
; CHECK-LABEL: plan of grid_stride
; CHECK-NOT: tile
; CHECK: array0 x not staged: DivergentLoop (loop0
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @triangle(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %t
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @square(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
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
define ptx_kernel void @grid_stride(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %v, ptr %q
  %next = add nsw i32 %i, %d
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
