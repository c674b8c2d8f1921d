; The accumulator: both addresses are compared at entry, then one load before the strips and one store
; behind them; between, the loop reads only the tile. Under the guard both are guarded.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | %FileCheck %s
; CHECK-LABEL: define ptx_kernel void @accumulates
; CHECK: mesi.test:
; CHECK-DAG: ptrtoint ptr %a to i64
; CHECK-DAG: ptrtoint ptr %c to i64
; CHECK: br i1 {{.*}}, !mesi.dispatch
; CHECK: [[OLD:%.*]] = load float, ptr %
; CHECK: barrier.cta
; CHECK-NOT: {{(load|store) float.*, ptr %}}
; CHECK: load float, ptr addrspace(3)
; CHECK-NOT: {{(load|store) float.*, ptr %}}
; CHECK: barrier.cta
; CHECK-NOT: {{(load|store) float.*, ptr %}}
; CHECK: load float, ptr addrspace(3)
; CHECK-NOT: {{(load|store) float.*, ptr %}}
; CHECK: store float {{.*}}, ptr %
; CHECK-NOT: {{(load|store) float}}
; CHECK: ret void
; CHECK-NEXT: }
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @accumulates(ptr %a, ptr %c, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %work, label %end
work:
  %t64 = zext nneg i32 %t to i64
  %pc = getelementptr inbounds float, ptr %c, i64 %t64
  br label %loop
loop:
  %k = phi i32 [ 0, %work ], [ %next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %pa = getelementptr inbounds float, ptr %a, i64 %k64
  %v = load float, ptr %pa
  %old = load float, ptr %pc
  %new = fadd float %old, %v
  store float %new, ptr %pc
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
