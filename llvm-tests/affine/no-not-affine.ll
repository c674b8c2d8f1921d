; An index read from memory, one divided, one that is a product of two thread indices: no box of
; elements is known. The indices themselves are read in order and can be staged. An index times a
; launch constant is the twin.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of gather
; CHECK: tile0: array0 index
; CHECK-NOT: tile1
; CHECK: array1 x not staged: NotAffine (the index of access1 is not affine in thread, block and loop indices)
; CHECK-LABEL: plan of divided
; CHECK-NOT: tile
; CHECK: array0 x not staged: NotAffine
; CHECK-LABEL: plan of squared
; CHECK-NOT: tile
; CHECK: array0 x not staged: NotAffine
; CHECK-LABEL: plan of strided
; CHECK: tile0: array0 x
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @gather(ptr noalias %index, ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %index, i64 %i
  %j = load i32, ptr %p
  %j64 = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %x, i64 %j64
  %v = load float, ptr %q
  %r = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %r
  ret void
}
define ptx_kernel void @divided(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = udiv i32 %t, 3
  %j64 = zext nneg i32 %j to i64
  %q = getelementptr inbounds float, ptr %x, i64 %j64
  %v = load float, ptr %q
  store float %v, ptr %y
  ret void
}
define ptx_kernel void @squared(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = mul nuw nsw i32 %t, %t
  %j64 = zext nneg i32 %j to i64
  %q = getelementptr inbounds float, ptr %x, i64 %j64
  %v = load float, ptr %q
  store float %v, ptr %y
  ret void
}
define ptx_kernel void @strided(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = mul nsw i32 %t, 3
  %j64 = zext nneg i32 %j to i64
  %q = getelementptr inbounds float, ptr %x, i64 %j64
  %v = load float, ptr %q
  store float %v, ptr %y
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
