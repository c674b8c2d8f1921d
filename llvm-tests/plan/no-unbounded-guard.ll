; A load under a condition on data: which elements are read, nobody knows beforehand, and an element
; that no thread reads may not exist. Where an unconditional load covers the same elements it may.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of sometimes
; CHECK-NOT: tile{{.*}} x,
; CHECK: array1 x not staged: UnboundedGuard (access{{[0-9]}} is read under a condition that the copy cannot follow)
; CHECK-LABEL: plan of covered
; CHECK: tile{{[0-9]}}: array{{[0-9]}} x,
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @sometimes(ptr noalias %x, ptr noalias %y) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %q = getelementptr inbounds float, ptr %y, i64 %i
  %u = load float, ptr %q
  %c = fcmp ogt float %u, 0.0
  br i1 %c, label %work, label %end
work:
  %v = load float, ptr %p
  store float %v, ptr %q
  br label %end
end:
  ret void
}
define ptx_kernel void @covered(ptr noalias %x, ptr noalias %y) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %q = getelementptr inbounds float, ptr %y, i64 %i
  %u = load float, ptr %p
  %c = fcmp ogt float %u, 0.0
  br i1 %c, label %work, label %end
work:
  %v = load float, ptr %p
  store float %v, ptr %q
  br label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
