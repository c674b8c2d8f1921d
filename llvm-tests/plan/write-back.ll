; A thread updates its own element in place through a tile that is written back. A second dimension of
; constant stride must not overlap the first: the entry tests what the compiler cannot know.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of scale
; CHECK-NEXT: region0: {{.*}}whole
; CHECK-NEXT: tile0: array0 x, unit 4, 1024 cells at byte 0
; CHECK: dim stride 4: tid.x, offsets 0..0, extent ntid.x, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]], tid.x <= s0 - 1
; CHECK-NEXT: writes back offsets {{\[\[}}0]], tid.x <= s0 - 1
; CHECK-NEXT: serves access0 [0], access1 store [0]
; CHECK-LABEL: plan of rows
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 32, depth 1
; CHECK-NEXT: tile0: array0 x, unit 4, 9216 cells at byte 0
; CHECK: dim stride 4*s1: tid.x, offsets 0..0, extent ntid.x, pitch 36
; CHECK-NEXT: dim stride 4: iter(loop0), offsets 0..0, extent 32, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0, 0]]
; CHECK-NEXT: writes back offsets {{\[\[}}0, 0]]
; CHECK-NEXT: serves access0 [0, 0], access1 store [0, 0]
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @scale(ptr noalias %x, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %work, label %end
work:
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %w = fmul float %v, 3.0
  store float %w, ptr %p
  br label %end
end:
  ret void
}
; Each thread runs over its row of n elements of a pitch w.
define ptx_kernel void @rows(ptr noalias %x, i32 %n, i32 %w) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %w
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %u = fmul float %v, 3.0
  store float %u, ptr %p
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
