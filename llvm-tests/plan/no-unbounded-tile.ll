; A clamped index that grows by a run-time stride: how far apart a block's elements lie is not known
; even at entry, as no pitch can hold it. Clamped after steps of one it is the block's width.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of strided
; CHECK-NOT: tile{{[0-9]}}
; CHECK: array0 x not staged: UnboundedTile (nothing bounds the tile's size)
; CHECK-LABEL: plan of dense
; CHECK: tile0: array0 x
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @strided(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %a = mul nsw i32 %t, %n
  %c = call i32 @llvm.smin.i32(i32 %a, i32 %n)
  %c64 = sext i32 %c to i64
  %p = getelementptr inbounds float, ptr %x, i64 %c64
  %s = load float, ptr %p
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
define ptx_kernel void @dense(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %a = mul nsw i32 %t, 1
  %c = call i32 @llvm.smin.i32(i32 %a, i32 %n)
  %c64 = sext i32 %c to i64
  %p = getelementptr inbounds float, ptr %x, i64 %c64
  %s = load float, ptr %p
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
