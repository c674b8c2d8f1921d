; A store tile that an edge below cuts: of the merged blocks' threads the first lane's may be beyond it where
; others are here. What all lanes load alike is loaded once, if any of them is here, and not for the first lane
; alone, whose value the others took. Found by a random kernel.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<merge=2x2x1>,verify' -S %s | %FileCheck %s
; CHECK-LABEL: define ptx_kernel void @inner
; CHECK: br i1 %{{[0-9]+}}, label %mesi.all, label %mesi.notall
; CHECK: br i1 %{{[0-9]+}}, label %mesi.part, label %mesi.some
; CHECK: {{^mesi.some:}}
; CHECK: [[TWO:%[0-9]+]] = or i1
; CHECK-NEXT: [[THREE:%[0-9]+]] = or i1 [[TWO]],
; CHECK-NEXT: [[ANY:%[0-9]+]] = or i1 [[THREE]],
; CHECK-NEXT: br i1 [[ANY]], label %[[ON:mesi.on[0-9]*]],
; CHECK: {{^}}[[ON]]:
; CHECK-NEXT: load float, ptr %scale
; CHECK-NOT: load
; CHECK-COUNT-4: store float {{.*}}, ptr %
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @inner(ptr %scale, ptr %out) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x0 = mul i32 %bx, %nx
  %x = add i32 %x0, %tx
  %inside = icmp sgt i32 %x, 0
  br i1 %inside, label %work, label %end
work:
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %v = load float, ptr %scale, align 4
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %column = mul i32 %x, %blocks
  %at = add i32 %column, %by
  %first = mul i32 %at, %ny
  %j = add nuw nsw i32 %first, %ty
  %j64 = zext nneg i32 %j to i64
  %q = getelementptr inbounds float, ptr %out, i64 %j64
  store float %v, ptr %q, align 4
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
