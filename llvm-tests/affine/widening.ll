; Indices computed in 32 bits and widened: the sum is recovered through sext, zext nneg and zext.
; What no flag proves becomes a fact to test at entry, in the reading the widening has; 64-bit
; arithmetic needs none, but its block-uniform operands must fit 32 bits to be multiplied safely.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-affine>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: affine of signed_flagged
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: access0: array0 + 4*tid.x*s0 + 12
; CHECK-LABEL: affine of signed_plain
; CHECK-NEXT: fact0: -2147483648 <= tid.x + ctaid.x*ntid.x <= 2147483647
; CHECK-NEXT: access0: array0 + 4*tid.x + 4*ctaid.x*ntid.x if fact0
; CHECK-LABEL: affine of nonnegative
; CHECK-NEXT: fact0: -2147483648 <= ctaid.x*ntid.x <= 2147483647
; CHECK-NEXT: access0: array0 + 4*ctaid.x*ntid.x if fact0
; CHECK-LABEL: affine of unsigned
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: fact0: 0 <= tid.x + s0 - 1 <= 4294967295
; CHECK-NEXT: access0: array0 + 4*tid.x + 4*s0 - 4 if fact0
; CHECK-LABEL: affine of wide
; CHECK-NEXT: s0 = i64 n
; CHECK-NEXT: fact0: -2147483648 <= s0 <= 2147483647
; CHECK-NEXT: access0: array0 + 4*tid.x*s0 + 4*ctaid.x*ntid.x*s0 if fact0
; CHECK-LABEL: affine of spelled
; CHECK-NEXT: s0 = i64 n
; CHECK-NEXT: fact0: -2147483648 <= s0 <= 2147483647
; CHECK-NEXT: fact1: -2147483648 <= 2*tid.x + s0 + 1 <= 2147483647
; CHECK-NEXT: fact2: 0 <= 2*tid.x + s0 + 1 <= 4294967295
; CHECK-NEXT: access0: array0 + 8*tid.x + 4*s0 + 4 if fact0, fact1
; CHECK-NEXT: access1: array0 + 8*tid.x + 4*s0 + 4 if fact0, fact2
target triple = "nvptx64-nvidia-cuda"
; nsw all the way: an overflow would be poison in an executed address, so no fact.
define ptx_kernel void @signed_flagged(ptr %x, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %n
  %i = add nsw i32 %row, 3
  %w = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %w
  %v = load float, ptr %p
  ret void
}
; blockIdx.x * blockDim.x has no flag in clang's output.
define ptx_kernel void @signed_plain(ptr %x) #0 {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %d
  %i = add i32 %m, %t
  %w = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %w
  %v = load float, ptr %p
  ret void
}
; nneg: the value is not negative read as signed; the reading is the signed one.
define ptx_kernel void @nonnegative(ptr %x) #0 {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %m = mul i32 %b, %d
  %w = zext nneg i32 %m to i64
  %p = getelementptr inbounds float, ptr %x, i64 %w
  %v = load float, ptr %p
  ret void
}
; unsigned i: `i - 1` wraps at 0 to 2^32 - 1, so the fact is that it does not.
define ptx_kernel void @unsigned(ptr %x, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %t, %n
  %less = add i32 %i, -1
  %w = zext i32 %less to i64
  %p = getelementptr inbounds float, ptr %x, i64 %w
  %v = load float, ptr %p
  ret void
}
; size_t: all in 64 bits.
define ptx_kernel void @wide(ptr %x, i64 %n) #0 {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b64 = zext nneg i32 %b to i64
  %d64 = zext nneg i32 %d to i64
  %t64 = zext nneg i32 %t to i64
  %m = mul i64 %b64, %d64
  %i = add i64 %m, %t64
  %row = mul i64 %i, %n
  %p = getelementptr inbounds float, ptr %x, i64 %row
  %v = load float, ptr %p
  ret void
}
; LLVM's other spellings: shl and ashr for sext, and with 2^32 - 1 for zext, disjoint or for add.
define ptx_kernel void @spelled(ptr %x, i64 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %even = shl nuw nsw i32 %t, 1
  %odd = or disjoint i32 %even, 1
  %o64 = zext nneg i32 %odd to i64
  %sum = add i64 %o64, %n
  %up = shl i64 %sum, 32
  %down = ashr exact i64 %up, 32
  %p = getelementptr inbounds float, ptr %x, i64 %down
  %v = load float, ptr %p
  %low = and i64 %sum, 4294967295
  %q = getelementptr inbounds float, ptr %x, i64 %low
  %u = load float, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
