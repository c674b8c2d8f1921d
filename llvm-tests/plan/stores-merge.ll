; The blocks of a transpose are merged by fours along the rows of its store tile. What follows from the range of the global id is not a
; fact any more.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;merge=2x2x1>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=SQUARE
; CHECK: plan of transpose
; CHECK-NEXT: merge 1x4x1 blocks{{$}}
; CHECK-NEXT: region0: {{.*}}whole{{$}}
; CHECK-NEXT: tile0: array1 out, unit 4, run-time size at byte 0
; CHECK-NEXT: rest 4*ctaid.x*ntid.x*s1 + 4*ctaid.y*ntid.y
; CHECK-NEXT: dim stride 4*s1: tid.x, offsets 0..0, extent ntid.x, pitch extent inside + 1
; CHECK-NEXT: dim stride 4: tid.y, offsets 0..0, extent 4*ntid.y, pitch 1
; CHECK-NEXT: writes back offsets {{\[\[}}0, 0]], tid.x <= -ctaid.x*ntid.x + s0 - 1, tid.y <= -ctaid.y*ntid.y + s1 - 1
; CHECK-NEXT: serves access1 store [0, 0]
; CHECK: pays: 528 <= nctaid.x*nctaid.y{{$}}
; CHECK: fact: -2147483648 <= tid.x + ctaid.x*ntid.x <= 2147483647
; CHECK-NEXT: fact: -274877906944 <= ctaid.x*ntid.x*s1 <= 274877906943
; CHECK-NEXT: fact: 0 <= -16*ntid.y + 4*s1 <= 1099511627776
; CHECK-NEXT: fact: -2147483648 <= 4*ntid.x + 16*ntid.x*ntid.y + 20 <= 20480
; CHECK-NEXT: shared: 20480 bytes
; CHECK-NOT: else version
; A product that is 0 in the first block is tested for the last of the merged blocks alone.
; SQUARE: merge 2x2x1 blocks{{$}}
; SQUARE-NOT: <= ctaid.x*ntid.x*s1 <=
; SQUARE: fact: -274877906944 <= ctaid.x*ntid.x*s1 + ntid.x*s1 <= 274877906943
; SQUARE: else version 1
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
