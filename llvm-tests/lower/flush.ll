; Four blocks fill a store tile together. Where no edge cuts it, nothing is guarded: the loads of all
; lanes, their stores to the tile, a barrier, and the cells that this thread writes back, one in each
; block's part. Where an edge cuts it, and the grid has all four blocks, the same for the lanes that are here, and of
; the cells those within the bounds. Else each lane that is here stores as the original does, all loads before the
; stores.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi' -S %s | %FileCheck %s
; CHECK-LABEL: define ptx_kernel void @transpose
; CHECK: {{^mesi.test:}}
; CHECK: !mesi.dispatch
; CHECK: {{^mesi.follow:}}
; CHECK-NEXT: ret void
; CHECK: br i1 %{{[0-9]+}}, label %mesi.all, label %mesi.notall
; CHECK: {{^mesi.all:}}
; CHECK-COUNT-4: load float, ptr %
; CHECK-NOT: br
; CHECK-COUNT-4: store float {{.*}}, ptr addrspace(3)
; CHECK-NOT: br
; CHECK: call void @llvm.nvvm.barrier
; CHECK-NOT: br i1
; CHECK: br label %mesi.copy
; CHECK: {{^mesi.notall:}}
; CHECK: br i1 %{{[0-9]+}}, label %mesi.part, label %mesi.some
; CHECK: {{^mesi.copy:}}
; CHECK-COUNT-4: load i32, ptr addrspace(3)
; CHECK: {{^mesi.copied:}}
; CHECK-COUNT-4: store i32 {{.*}}, ptr %
; CHECK: {{^mesi.part:}}
; CHECK: br i1 %{{[0-9]+}}, label %mesi.on,
; CHECK: {{^mesi.some:}}
; CHECK: {{^}$}}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @transpose(ptr %in, ptr %out, i32 %w, i32 %h) #0 {
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
  store float %v, ptr %q, align 4
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
