; The first and the last thread of a row read an element each. A tile of the row is 62 times as much: it is not worth its copy,
; and is made by force alone. Where all threads read, there is a tile, which only a measurement judges.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;form=own>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=FORCE
; CHECK-LABEL: plan of ends
; CHECK-NOT: tile0
; CHECK: array0 x not staged: NotProfitable
; CHECK-LABEL: plan of all
; CHECK: tile0: array0 x
; FORCE-LABEL: plan of ends
; FORCE: tile0: array0 x
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @ends(ptr noalias %x, ptr noalias %y) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul nuw nsw i32 %r, 64
  %first = add nuw nsw i32 %row, 1
  %last = add nuw nsw i32 %row, 62
  %i = add nuw nsw i32 %row, %t
  %ix = zext nneg i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %ix
  %is.first = icmp eq i32 %t, 0
  br i1 %is.first, label %low, label %other
low:
  %f = zext nneg i32 %first to i64
  %p = getelementptr inbounds float, ptr %x, i64 %f
  %u = load float, ptr %p
  store float %u, ptr %q
  br label %exit
other:
  %is.last = icmp eq i32 %t, 63
  br i1 %is.last, label %high, label %exit
high:
  %l = zext nneg i32 %last to i64
  %p1 = getelementptr inbounds float, ptr %x, i64 %l
  %v = load float, ptr %p1
  store float %v, ptr %q
  br label %exit
exit:
  ret void
}
define ptx_kernel void @all(ptr noalias %x, ptr noalias %y) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul nuw nsw i32 %r, 64
  %first = add nuw nsw i32 %row, 1
  %last = add nuw nsw i32 %row, 62
  %i = add nuw nsw i32 %row, %t
  %ix = zext nneg i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %ix
  %f = zext nneg i32 %first to i64
  %p = getelementptr inbounds float, ptr %x, i64 %f
  %u = load float, ptr %p
  %l = zext nneg i32 %last to i64
  %p1 = getelementptr inbounds float, ptr %x, i64 %l
  %v = load float, ptr %p1
  %s = fadd float %u, %v
  store float %s, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
