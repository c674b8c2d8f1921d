; Elements larger than what is loaded: the four floats of a float4, fields of a struct with padding,
; rows of a fixed-size two-dimensional array. All are bytes past one base.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-affine>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: affine of vector
; CHECK-NEXT: access0: array0 + 16*tid.x
; CHECK-NEXT: access1: array0 + 16*tid.x + 4
; CHECK-NEXT: access2: array0 + 16*tid.x + 12
; CHECK-LABEL: affine of fields
; CHECK-NEXT: s0 = i32 k
; CHECK-NEXT: access0: array0 + 32*tid.x + 8
; CHECK-NEXT: access1: array0 + 32*tid.x + 4*s0 + 16
; CHECK-LABEL: affine of rows
; CHECK-NEXT: access0: array0 + 4*tid.x + 128*tid.y
target triple = "nvptx64-nvidia-cuda"
%float4 = type { float, float, float, float }
%atom = type { i8, double, [3 x float] }
define ptx_kernel void @vector(ptr %x) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds %float4, ptr %x, i64 %i
  %a = load float, ptr %p, align 16
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %b = load float, ptr %q, align 4
  %r = getelementptr inbounds %float4, ptr %x, i64 %i, i32 3
  %d = load float, ptr %r, align 4
  ret void
}
define ptx_kernel void @fields(ptr %x, i32 %k) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds %atom, ptr %x, i64 %i, i32 1
  %a = load double, ptr %p, align 8
  %j = sext i32 %k to i64
  %q = getelementptr inbounds %atom, ptr %x, i64 %i, i32 2, i64 %j
  %b = load float, ptr %q, align 4
  ret void
}
define ptx_kernel void @rows(ptr %x) #0 {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %i = zext nneg i32 %ty to i64
  %j = zext nneg i32 %tx to i64
  %p = getelementptr inbounds [32 x [32 x float]], ptr %x, i64 0, i64 %i, i64 %j
  %v = load float, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
