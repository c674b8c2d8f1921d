; A window outside of loops: copy, one barrier, both loads from the tile,
; and no barrier behind, because nothing is staged afterwards.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | %FileCheck %s
; CHECK-LABEL: define ptx_kernel void @window
; CHECK: br i1 {{.*}}, label %mesi.setup, label %entry, !mesi.dispatch
; CHECK: mesi.copy:
; CHECK: load i32, ptr %
; CHECK: mesi.copied:
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: {{ load |call void}}
; CHECK: load float, ptr addrspace(3)
; CHECK-NOT: {{ load |call void}}
; CHECK: load float, ptr addrspace(3)
; CHECK-NOT: {{ load |call void}}
; CHECK: store float {{.*}}, ptr %
; CHECK: ret void
; CHECK-NOT: {{load float|call void}}
; CHECK: {{^}$}}
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @window(ptr noalias %x, ptr noalias %y) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %a = load float, ptr %p
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %b = load float, ptr %q
  %s = fadd float %a, %b
  %r = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %r
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
