; Uncoalesced stores whose elements are not exactly known keep the array out of a tile, because all of
; its stored elements, and no others, must be written back: under a condition on data, in runs
; that overlap, in a loop's test, and at a clamped index.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of conditional
; CHECK-NOT: writes back
; CHECK: y not staged: InexactStore (which elements access1 stores is not exactly known)
; CHECK-LABEL: plan of overlapping
; CHECK-NOT: writes back
; CHECK: y not staged: InexactStore (which elements access0 stores is not exactly known)
; CHECK-LABEL: plan of tested
; CHECK-NOT: writes back
; CHECK: y not staged: OnlyStored
; CHECK-LABEL: plan of two_conditions
; CHECK-NOT: writes back
; CHECK: y not staged: InexactStore
; CHECK-LABEL: plan of clamped
; CHECK-NOT: writes back
; CHECK: y not staged: InexactStore
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.smin.i32(i32, i32)
define ptx_kernel void @conditional(ptr noalias %x, ptr noalias %y, i32 %n, i32 %pitch) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %pitch
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %step ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %c = fcmp ogt float %v, 0.0
  br i1 %c, label %work, label %step
work:
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %v, ptr %q
  br label %step
step:
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
; The runs of neighbouring threads overlap: an element is stored by several of them.
define ptx_kernel void @overlapping(ptr noalias %y, i32 %pitch) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %row = mul nsw i32 %t, %pitch
  %two = mul nsw i32 %ty, 2
  %at = add nsw i32 %row, %two
  %i = add nsw i32 %at, %tz
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float 1.0, ptr %q
  ret void
}
; The block of the test runs once more than the loop iterates.
define ptx_kernel void @tested(ptr noalias %y, i32 %n, i32 %pitch) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %pitch
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %step ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float 1.0, ptr %q
  %again = icmp slt i32 %k, %n
  br i1 %again, label %step, label %end
step:
  %next = add nuw nsw i32 %k, 1
  br label %loop
end:
  ret void
}
; The two sides store different elements, each under its own bound.
define ptx_kernel void @two_conditions(ptr noalias %y, i32 %n, i32 %pitch, i32 %h) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %pitch
  %c = icmp slt i32 %t, %h
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %step ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  br i1 %c, label %low, label %high
low:
  store float 1.0, ptr %q
  br label %step
high:
  store float 2.0, ptr %q
  br label %step
step:
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
; Rows at a clamped index may leave rows out in between.
define ptx_kernel void @clamped(ptr noalias %y, i32 %n, i32 %pitch) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %two = mul nuw nsw i32 %ty, 2
  %c = call i32 @llvm.smin.i32(i32 %two, i32 %n)
  %row = mul nsw i32 %t, %pitch
  %part = mul nsw i32 %c, 16
  %i = add nsw i32 %row, %part
  %s = add nsw i32 %i, %tz
  %i64 = sext i32 %s to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float 1.0, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
