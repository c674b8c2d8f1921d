; Loads that differ in constants are one group, and the spread of the constants is the halo. Loads of
; one array whose coefficients differ are two groups, each with a tile of its own.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of window
; CHECK-NEXT: region0: {{.*}}whole
; CHECK-NEXT: tile0: array0 x, unit 4, 1026 cells at byte 0
; CHECK: dim stride 4: tid.x, offsets 0..2, extent ntid.x + 2, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0], [1], [2]]
; CHECK-NEXT: serves access0 [0], access1 [1], access2 [2]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
; CHECK-LABEL: plan of cross
; CHECK-NEXT: region0: {{.*}}whole
; CHECK-NEXT: tile0: array0 x, unit 4, run-time size at byte 0, clipped
; CHECK: dim stride 4*s0: tid.y, offsets -1..1, extent ntid.y + 2, pitch extent inside + 0
; CHECK-NEXT: dim stride 4: tid.x, offsets 0..2, extent ntid.x + 2, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}-1, 1], [0, 0], [0, 1], [0, 2], [1, 1]], tid.x >= 1, tid.x <= s0 - 2, tid.y >= 1, tid.y <= s1 - 2
; CHECK-NEXT: serves access0 [0, 1], access1 [0, 0], access2 [0, 2], access3 [-1, 1], access4 [1, 1]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
; CHECK-LABEL: plan of two
; CHECK-NEXT: region0: {{.*}}whole
; CHECK-NEXT: tile0: array0 x, unit 4, 1024 cells at byte 0
; CHECK: dim stride 4: tid.x, offsets 0..0, extent ntid.x, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access0 [0]
; CHECK-NEXT: tile1: array0 x, unit 4, 1024 cells at byte 4096
; CHECK: dim stride 12: tid.x, offsets 0..0, extent ntid.x, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access1 [0]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
target triple = "nvptx64-nvidia-cuda"
; An unrolled window of three: one tile of ntid.x + 2 elements.
define ptx_kernel void @window(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %a = load float, ptr %p
  %p1 = getelementptr inbounds i8, ptr %p, i64 4
  %b = load float, ptr %p1
  %p2 = getelementptr inbounds i8, ptr %p, i64 8
  %c = load float, ptr %p2
  %ab = fadd float %a, %b
  %abc = fadd float %ab, %c
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %abc, ptr %q
  ret void
}
; A cross of five in two dimensions: the corners of its hull are nobody's, so the copy is clipped to
; what lies between the lowest and the highest address read.
define ptx_kernel void @cross(ptr noalias %x, ptr noalias %y, i32 %w, i32 %h) #0 {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %left.ok = icmp ne i32 %tx, 0
  %up.ok = icmp ne i32 %ty, 0
  %w1 = add nsw i32 %w, -1
  %h1 = add nsw i32 %h, -1
  %right.ok = icmp slt i32 %tx, %w1
  %down.ok = icmp slt i32 %ty, %h1
  %ok1 = and i1 %left.ok, %up.ok
  %ok2 = and i1 %ok1, %right.ok
  %ok = and i1 %ok2, %down.ok
  br i1 %ok, label %work, label %end
work:
  %row = mul nsw i32 %ty, %w
  %i = add nsw i32 %row, %tx
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %centre = load float, ptr %p
  %pl = getelementptr i8, ptr %p, i64 -4
  %left = load float, ptr %pl
  %pr = getelementptr i8, ptr %p, i64 4
  %right = load float, ptr %pr
  %iu = sub nsw i32 %i, %w
  %iu64 = sext i32 %iu to i64
  %pu = getelementptr inbounds float, ptr %x, i64 %iu64
  %up = load float, ptr %pu
  %id = add nsw i32 %i, %w
  %id64 = sext i32 %id to i64
  %pd = getelementptr inbounds float, ptr %x, i64 %id64
  %down = load float, ptr %pd
  %s1 = fadd float %centre, %left
  %s2 = fadd float %s1, %right
  %s3 = fadd float %s2, %up
  %s4 = fadd float %s3, %down
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %s4, ptr %q
  br label %end
end:
  ret void
}
; x[i] and x[3*i]: two tiles of one array.
define ptx_kernel void @two(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %a = load float, ptr %p
  %three = mul nuw nsw i64 %i, 3
  %p3 = getelementptr inbounds float, ptr %x, i64 %three
  %b = load float, ptr %p3
  %s = fadd float %a, %b
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
