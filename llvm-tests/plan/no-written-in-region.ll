; The staged array is also written in the region where the tile cannot follow: at another place than
; it is read (a shifted element that the next iteration reads), under a condition on data, or at a
; clamped index, whose run may have gaps. A store to another field of the records is harmless.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of elsewhere
; CHECK-NOT: tile
; CHECK: array0 x not staged: WrittenInRegion (access1 writes it while it would be staged)
; CHECK-LABEL: plan of conditional
; CHECK-NOT: tile
; CHECK: array0 x not staged: WrittenInRegion
; CHECK-LABEL: plan of clamped
; CHECK-NOT: tile
; CHECK: array0 x not staged: WrittenInRegion
; CHECK-LABEL: plan of field
; CHECK: tile0: array0 x
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.smin.i32(i32, i32)
define ptx_kernel void @elsewhere(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = mul nsw i32 %t, %n
  %e64 = sext i32 %e to i64
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %to = getelementptr inbounds float, ptr %x, i64 %e64
  store float %v, ptr %to
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @conditional(ptr noalias %x) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %c = fcmp ogt float %v, 0.0
  br i1 %c, label %work, label %end
work:
  store float 0.0, ptr %p
  br label %end
end:
  ret void
}
define ptx_kernel void @clamped(ptr noalias %x, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %two = mul nuw nsw i32 %t, 2
  %i = call i32 @llvm.smin.i32(i32 %two, i32 %n)
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %w = fmul float %v, 3.0
  store float %w, ptr %p
  ret void
}
define ptx_kernel void @field(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext nneg i32 %t to i64
  %to = getelementptr inbounds { float, float }, ptr %x, i64 %t64, i32 1
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds { float, float }, ptr %x, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  store float %sum.next, ptr %to
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
