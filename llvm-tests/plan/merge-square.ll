; Which threads of merged blocks do which work, where ids are used as the global id alone: lanes own as many
; neighbouring columns as one read of 16 bytes serves, and warps work on squares of the block. A
; window's lanes own what overlaps, all side by side, and warps stay as they are.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=8x8>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s
; CHECK: plan of mm
; CHECK-NEXT: merge 8x8x1 blocks, consecutive along x in runs of 4, consecutive along y in runs of 4, warps square
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=4x2>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s -check-prefix=WHOLE
; WHOLE: merge 4x2x1 blocks, consecutive along x, consecutive along y, warps square
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=4x1>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=WINDOW
; WINDOW: plan of window
; WINDOW-NEXT: merge 4x1x1 blocks, consecutive along x{{$}}
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=8x8;overlap=off>,verify' -S %S/../plugin/mm.ll | %FileCheck %s -check-prefix=BODY
; The block divides into 8x4 threads, or a thread works where it stands; bit 1 of the lane is a row.
; BODY: mesi.lead:
; BODY: and i32 %[[LANE:[0-9]+]], 1
; BODY: and i32 %{{[0-9]+}}, 6
; BODY: and i32 %{{[0-9]+}}, 1
; BODY: and i32 %{{[0-9]+}}, 2
; BODY-COUNT-64: call float @llvm.fmuladd.f32(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @window(ptr noalias %in, ptr noalias %out, i32 %n) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %bxn = mul nsw i32 %bx, %nx
  %x = add nsw i32 %bxn, %tx
  %byn = mul nsw i32 %by, %ny
  %y = add nsw i32 %byn, %ty
  %row = mul nsw i32 %y, %n
  %at = add nsw i32 %row, %x
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %i = add nsw i32 %at, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %in, i64 %i64
  %v = load float, ptr %p
  %sum = fadd float %s, %v
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 9
  br i1 %more, label %loop, label %exit
exit:
  %at64 = sext i32 %at to i64
  %q = getelementptr inbounds float, ptr %out, i64 %at64
  store float %sum, ptr %q
  ret void
}
