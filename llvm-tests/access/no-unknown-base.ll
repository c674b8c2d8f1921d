; A pointer that is one of two arguments, and one that is itself read from memory: what they hit has
; no name. The load could still be of anything; the store keeps `x`, which it may hit, from being staged.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of either
; CHECK-NOT: tile
; CHECK: access0 not staged: UnknownBase (the address of access0 does not come from one base pointer)
; CHECK-LABEL: plan of indirect
; CHECK: tile0: array0 rows
; CHECK-NOT: tile1
; CHECK: access1 not staged: UnknownBase
; CHECK-LABEL: plan of hits
; CHECK-NOT: tile
; CHECK: array0 x not staged: MayAlias (access1 may write it, and its range is not known at entry)
; CHECK: access1 not staged: UnknownBase
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @either(ptr noalias %a, ptr noalias %b, ptr noalias %y, i1 %c) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %x = select i1 %c, ptr %a, ptr %b
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %q
  ret void
}
define ptx_kernel void @indirect(ptr noalias %x, ptr noalias %rows) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds ptr, ptr %rows, i64 %i
  %row = load ptr, ptr %p
  %v = load float, ptr %row
  store float %v, ptr %x
  ret void
}
define ptx_kernel void @hits(ptr %x, ptr %rows, float %f) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %q
  %c = fcmp olt float %v, %f
  %to = select i1 %c, ptr %x, ptr %rows
  store float %v, ptr %to
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
