; An in-place update: the store goes to the tile, and behind a barrier the block writes the tile back,
; under the bounds of the guard, so that nothing is written that was not.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | %FileCheck %s
; CHECK-LABEL: define ptx_kernel void @scale
; CHECK: !mesi.dispatch
; CHECK: load i32, ptr %
; CHECK: call void @llvm.nvvm.barrier
; CHECK: load float, ptr addrspace(3)
; CHECK: fmul float
; CHECK: store float {{.*}}, ptr addrspace(3)
; CHECK: call void @llvm.nvvm.barrier
; CHECK: load i32, ptr addrspace(3)
; CHECK: store i32 {{.*}}, ptr %
; CHECK-NOT: store float {{.*}}, ptr %
; CHECK: {{^}$}}
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @scale(ptr noalias %x, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %work, label %end
work:
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %w = fmul float %v, 3.0
  store float %w, ptr %p
  br label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
