; A width that the kernel reads from memory is the same for all threads, but the entry, which must
; decide before anything is read, does not know it. As an argument it would.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of read
; CHECK: array1 x not staged: NotAtEntry (a stride or bound of access1 cannot be computed at the kernel's entry)
; CHECK-LABEL: plan of given
; CHECK: tile{{[0-9]}}: array0 x
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @read(ptr noalias %width, ptr noalias %x, ptr noalias %y) #0 {
  %n = load i32, ptr %width
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = mul nsw i32 %t, %n
  %j64 = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %x, i64 %j64
  %v = load float, ptr %q
  store float %v, ptr %y
  ret void
}
define ptx_kernel void @given(i32 %n, ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = mul nsw i32 %t, %n
  %j64 = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %x, i64 %j64
  %v = load float, ptr %q
  store float %v, ptr %y
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
