; `min(max(i - r, 0), n - 1)` keeps an index inside; as its operand grows so does it, which is all
; that bounding a tile needs. An unsigned minimum is the signed one where both sides fit 31 bits.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-affine>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: affine of edges
; CHECK-NEXT: s0 = i32 r
; CHECK-NEXT: s1 = i32 n
; CHECK-NEXT: clamp0 = max(tid.x - s0, 0)
; CHECK-NEXT: clamp1 = min(clamp0, s1 - 1)
; CHECK-NEXT: access0: array0 + 4*clamp1
; CHECK-LABEL: affine of unsigned
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: clamp0 = min(tid.x, s0)
; CHECK-NEXT: fact0: 0 <= s0 <= 2147483647
; CHECK-NEXT: fact1: 0 <= clamp0 <= 4294967295
; CHECK-NEXT: access0: array0 + 4*clamp0 if fact0, fact1
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @edges(ptr %x, i32 %n, i32 %r) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sub nsw i32 %t, %r
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %last = add nsw i32 %n, -1
  %both = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %w = sext i32 %both to i64
  %p = getelementptr inbounds float, ptr %x, i64 %w
  %v = load float, ptr %p
  ret void
}
define ptx_kernel void @unsigned(ptr %x, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %both = call i32 @llvm.umin.i32(i32 %t, i32 %n)
  %w = zext i32 %both to i64
  %p = getelementptr inbounds float, ptr %x, i64 %w
  %v = load float, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
