; An in-bounds test of each window element, `0 <= t + k - r < n`, bounds the very sum that is the
; tile's coordinate. A clamped index spreads no further than what it clamps.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of tested
; CHECK-NEXT: region0: {{.*}}whole
; CHECK-NEXT: tile0: array0 x, unit 4, run-time size at byte 0
; CHECK: dim stride 4: tid.x + iter(loop0), offsets 0..0, extent ntid.x + trip(loop0) - 1, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]], tid.x + iter(loop0) >= s1, tid.x + iter(loop0) <= s1 + s2 - 1
; CHECK-NEXT: serves access0 [0]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
; CHECK-LABEL: plan of clamped
; CHECK-NEXT: region0: {{.*}}whole
; CHECK-NEXT: tile0: array0 x, unit 4, run-time size at byte 0
; CHECK: dim stride 4: clamp0, offsets 0..0, extent ntid.x + trip(loop0) - 1, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access0 [0]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @tested(ptr noalias %x, ptr noalias %y, i32 %n, i32 %r, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %latch ]
  %a = add nsw i32 %t, %k
  %i = sub nsw i32 %a, %r
  %low = icmp sge i32 %i, 0
  %high = icmp slt i32 %i, %n
  %in = and i1 %low, %high
  br i1 %in, label %read, label %latch
read:
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  br label %latch
latch:
  %sum.next = phi float [ %sum, %loop ], [ %more, %read ]
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @clamped(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %a = add nsw i32 %t, %k
  %i = call i32 @llvm.smin.i32(i32 %a, i32 %n)
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
