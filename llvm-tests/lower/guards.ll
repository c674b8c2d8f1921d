; A guard around a region: the copy and its barrier are the whole block's, only what the guard stood
; around before, the load from the tile and the store, is under it.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | %FileCheck %s
; CHECK-LABEL: define ptx_kernel void @guarded
; CHECK: !mesi.dispatch
; CHECK: [[IN:%.*]] = icmp slt i32 {{.*}}, %n
; CHECK: mesi.copied:
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT: br i1 [[IN]], label
; CHECK: load float, ptr addrspace(3)
; CHECK: store float {{.*}}, ptr %
; CHECK: {{^}$}}
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @guarded(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %work, label %end
work:
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %q
  br label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
