; Strides that only the launch knows: a row pitch, a plane of height times width, a pitch computed at
; entry by a division, which stays one symbol. Each is a coefficient of its variable.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-affine>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: affine of volume
; CHECK-NEXT: s0 = i32 h
; CHECK-NEXT: s1 = i32 w
; CHECK-NEXT: access0: array0 + 4*tid.x + 4*tid.y*s1 + 4*tid.z*s0*s1
; CHECK-LABEL: affine of half
; CHECK-NEXT: s0 = i32 h
; CHECK-NEXT: access0: array0 + 4*tid.x*s0
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @volume(ptr %x, i32 %w, i32 %h) #0 {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %plane = mul nsw i32 %tz, %h
  %rows = add nsw i32 %plane, %ty
  %line = mul nsw i32 %rows, %w
  %i = add nsw i32 %line, %tx
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  ret void
}
define ptx_kernel void @half(ptr %x, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %h = sdiv i32 %n, 2
  %row = mul nsw i32 %t, %h
  %i64 = sext i32 %row to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
