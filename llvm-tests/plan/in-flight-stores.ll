; Strips in flight beside a store tile. Where each thread reads the cell that it stores to, before and in the
; same iteration, the store tile lies in the slots of what is read, if the block has no further dimensions.
; Else it has a slot of its own, behind the others. Strips that are written back are not shorter than 16
; where two of them fit.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of copied
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 16, depth 2, 16 depth 4 if they fit, 32 depth 4 if they fit{{$}}
; CHECK-NEXT: tile0: array0 x, unit 4, run-time size at byte 0
; CHECK: copied in pieces of [16] bytes if aligned
; CHECK: tile1: array1 y, unit 4, in the slots of what is read before
; CHECK-NOT: copied in pieces
; CHECK: writes back offsets {{\[\[}}0, 0]]
; CHECK: fact: 1 <= ntid.y*ntid.z <= 1
; CHECK: shared:
; CHECK-LABEL: plan of neighbours
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 8, depth 2,
; CHECK-NEXT: tile0: array0 x, unit 4, run-time size at byte 0
; CHECK: tile1: array1 y, unit 4, run-time size after tile0
; CHECK-NOT: ntid.y*ntid.z
; CHECK: shared:
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off;strip=16;depth=3;block=64>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=FIXED
; FIXED-LABEL: plan of copied
; FIXED-NEXT: region0: {{.*}}loop0 in strips of 16, depth 3{{$}}
; FIXED-NEXT: tile0: array0 x, unit 4, 1280 cells at byte 0
; FIXED: tile1: array1 y, unit 4, 1280 cells at byte 15360
; FIXED: shared: 20480 bytes
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @copied(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %n
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p, align 4
  %w = fadd float %v, 1.0
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %w, ptr %q, align 4
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
; Each cell is read in two iterations.
define ptx_kernel void @neighbours(ptr noalias %x, ptr noalias %y, i32 %n, i32 %pitch) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = mul nsw i32 %t, %pitch
  %to = mul nsw i32 %t, %n
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nsw i32 %from, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p, align 4
  %after = getelementptr inbounds float, ptr %p, i64 1
  %u = load float, ptr %after, align 4
  %w = fadd float %v, %u
  %j = add nsw i32 %to, %k
  %j64 = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %y, i64 %j64
  store float %w, ptr %q, align 4
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" }
