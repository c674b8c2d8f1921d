; Constant memory has a cache of its own that broadcasts; a copy would only add work.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of scale
; CHECK: tile0: array0 x
; CHECK-NOT: tile1
; CHECK: array1 mask not staged: ConstantMemory (it lies in constant memory)
target triple = "nvptx64-nvidia-cuda"
@mask = internal addrspace(4) global [64 x float] zeroinitializer, align 4
define ptx_kernel void @scale(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %m = getelementptr inbounds [64 x float], ptr addrspace(4) @mask, i64 0, i64 %i
  %w = load float, ptr addrspace(4) %m
  %s = fmul float %v, %w
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
