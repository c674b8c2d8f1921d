; Dynamic shared memory: how much the launch takes, and so how much is left, is not known here.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of window
; CHECK-NEXT: not staged: DynamicShared
; CHECK-NOT: tile
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -pass-remarks=mesi -pass-remarks-missed=mesi -disable-output %s 2>&1 | %FileCheck %s -check-prefix=REMARK
; REMARK: not staged: kernel window: the kernel uses dynamic shared memory, whose size is not known here (DynamicShared)
; REMARK-NOT: remark
target triple = "nvptx64-nvidia-cuda"
@buffer = external addrspace(3) global [0 x float], align 4
define ptx_kernel void @window(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %a = load float, ptr %p
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %b = load float, ptr %q
  %s = fadd float %a, %b
  store float %s, ptr addrspace(3) @buffer
  %r = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %r
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
