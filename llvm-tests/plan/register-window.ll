; Merged blocks whose lanes own consecutive ids read windows that slide from iteration to iteration: a
; few cells at once where the tile's innermost dimension is the window's, with room at the end of rows
; and rows aligned for it; what all lanes read alike runs ahead; neighbouring lanes store at once. All
; that is the default.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1x4>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=COLUMN
; CHECK: plan of weighted
; CHECK-NEXT: merge 4x1x1 blocks, consecutive along x
; CHECK-NEXT: access2 stores 4 replicas along x at once if aligned
; CHECK-NEXT: region0: {{.*}} whole, in pieces
; CHECK: dim stride 4: iter(loop0), offsets 0..0, extent trip(loop0) + 3, pitch 1
; CHECK: serves access0 [0] runs ahead in loop0 by 4
; CHECK: dim stride 4: tid.x + iter(loop0), offsets 0..0, extent 4*ntid.x + trip(loop0) + 2, pitch 1
; CHECK: serves access1 [0] slides along x in loop0 by 4
; CHECK: shared: 12288 bytes
; CHECK-NOT: else version
; Along y the window's cells lie in rows of the tile, and are read one by one.
; COLUMN: plan of column
; COLUMN-NEXT: merge 1x4x1 blocks, consecutive along y
; COLUMN-NEXT: region0: {{.*}} whole, in pieces
; COLUMN: dim stride 4*s1: tid.y + iter(loop0), offsets 0..0, extent 4*ntid.y + trip(loop0) - 1, pitch extent inside + 0, a multiple of 4
; COLUMN: serves access0 [0, 0] slides along y in loop0 by 1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
define ptx_kernel void @weighted(ptr noalias noundef readonly %w, ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %r) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %pre, label %exit
pre:
  %any = icmp sgt i32 %r, 0
  br i1 %any, label %loop, label %store
loop:
  %k = phi i32 [ 0, %pre ], [ %next, %loop ]
  %sum = phi float [ 0.0, %pre ], [ %more, %loop ]
  %wi = zext nneg i32 %k to i64
  %pw = getelementptr inbounds float, ptr %w, i64 %wi
  %vw = load float, ptr %pw, align 4
  %xi = add nsw i32 %i, %k
  %xl = sext i32 %xi to i64
  %px = getelementptr inbounds float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %m = fmul contract float %vw, %vx
  %more = fadd contract float %sum, %m
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %r
  br i1 %done, label %store, label %loop
store:
  %s = phi float [ 0.0, %pre ], [ %more, %loop ]
  %il = sext i32 %i to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %s, ptr %py, align 4
  br label %exit
exit:
  ret void
}
define ptx_kernel void @column(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %w, i32 noundef %h, i32 noundef %r) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %by = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %dy = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %ty = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %bdy = mul i32 %by, %dy
  %j = add i32 %bdy, %ty
  %inx = icmp slt i32 %i, %w
  %iny = icmp slt i32 %j, %h
  %inside = and i1 %inx, %iny
  br i1 %inside, label %pre, label %exit
pre:
  %any = icmp sgt i32 %r, 0
  br i1 %any, label %loop, label %exit
loop:
  %k = phi i32 [ 0, %pre ], [ %next, %loop ]
  %sum = phi float [ 0.0, %pre ], [ %more, %loop ]
  %row = add nsw i32 %j, %k
  %at = mul nsw i32 %row, %w
  %xi = add nsw i32 %at, %i
  %xl = sext i32 %xi to i64
  %px = getelementptr inbounds float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %more = fadd contract float %sum, %vx
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %r
  br i1 %done, label %store, label %loop
store:
  %o = mul nsw i32 %j, %w
  %oi = add nsw i32 %o, %i
  %il = sext i32 %oi to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %more, ptr %py, align 4
  br label %exit
exit:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
