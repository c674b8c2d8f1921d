; Store tiles of merged blocks: here an if inside of what the tile serves decides which threads store, so
; that all of them do not store at once, and the blocks stay alone.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;merge=2x2x1>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of branches
; CHECK-NEXT: no merge: a tile is written
; CHECK-NEXT: region0: {{.*}}whole{{$}}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @branches(ptr %in, ptr %out, i32 %w, i32 %h) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x0 = mul i32 %bx, %nx
  %x = add i32 %x0, %tx
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %y0 = mul i32 %by, %ny
  %y = add i32 %y0, %ty
  %inx = icmp slt i32 %x, %w
  %iny = icmp slt i32 %y, %h
  %ok = and i1 %inx, %iny
  br i1 %ok, label %work, label %end
work:
  %row = mul nsw i32 %y, %w
  %i = add nsw i32 %row, %x
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %in, i64 %i64
  %v = load float, ptr %p, align 4
  %column = mul nsw i32 %x, %h
  %j = add nsw i32 %column, %y
  %j64 = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %out, i64 %j64
  %positive = fcmp ogt float %v, 0.0
  br i1 %positive, label %root, label %store
root:
  %r = load float, ptr %in, align 4
  br label %store
store:
  %s = phi float [ %v, %work ], [ %r, %root ]
  store float %s, ptr %q, align 4
  br label %end
end:
  ret void
}
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
attributes #0 = { "target-cpu"="sm_90" }
