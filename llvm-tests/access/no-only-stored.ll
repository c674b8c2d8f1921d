; An array that is only written has nothing to be read from a tile.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of fill
; CHECK-NEXT: array0 y not staged: OnlyStored (it is only written, and staging would not help)
; CHECK-NOT: {{tile|fact|region}}
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @fill(ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float 1.0, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
