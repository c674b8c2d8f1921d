; A window that slides: tiles copied by pieces, whole ones and those that are cut; the first iteration's
; cells read before the loop; 8 iterations of 4 lanes with two reads each of the window and the weights;
; the iterations left over one by one; four lanes stored at once, or each by itself.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<only=weighted;unroll=1>,verify' -S %S/../plan/register-window.ll | %FileCheck %s
; CHECK: define ptx_kernel void @weighted
; CHECK: mesi.whole:
; CHECK-NEXT: call void @llvm.nvvm.cp.async.cg.shared.global.16
; CHECK: mesi.element:
; CHECK-NEXT: call void @llvm.nvvm.cp.async.ca.shared.global.4
; CHECK: mesi.zero:
; CHECK-NEXT: store i32 0, ptr addrspace(3) {{.*}}, align 4
; CHECK: call void @llvm.nvvm.cp.async.commit.group()
; CHECK-NEXT: call void @llvm.nvvm.cp.async.wait.group(i32 0)
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: load <4 x float>, ptr addrspace(3) {{.*}}, align 16
; CHECK-NOT: load float
; CHECK: mesi.slide:
; CHECK-NOT: load float
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(3) {{.*}}, align 16
; CHECK: br i1 {{.*}}, label %mesi.slide, label %mesi.rest, !llvm.loop
; CHECK: mesi.rest:
; CHECK-NOT: load float
; CHECK: mesi.wide:
; CHECK: store <4 x float> {{.*}}, ptr {{.*}}, align 16
; CHECK: mesi.each:
; CHECK: store float
