; By default only what is sure to gain is staged. A window of two outside any loop is legal, and left;
; with force it is staged.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of window
; CHECK-NOT: tile
; CHECK: array0 x not staged: NotProfitable (no sure gain)
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=TWIN
; TWIN: tile0: array0 x
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @window(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %xp0 = getelementptr inbounds float, ptr %x, i64 %i
  %xq0 = getelementptr inbounds i8, ptr %xp0, i64 0
  %x0 = load float, ptr %xq0
  %xp1 = getelementptr inbounds float, ptr %x, i64 %i
  %xq1 = getelementptr inbounds i8, ptr %xp1, i64 4
  %x1 = load float, ptr %xq1
  %s = fadd float %x0, %x1
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
