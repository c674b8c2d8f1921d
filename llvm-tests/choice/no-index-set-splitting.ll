; Loops that threads run a different number of times, and that are not cut, each for one reason. `yes` says that such a loop is.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;form=own;force>' -disable-output %s 2>&1 | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; Its end is the thread's own number.
; CHECK-LABEL: plan of yes
; CHECK: {{^ *}}index sets cut: each thread ends one by itself
define ptx_kernel void @yes(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %bx, %nx
  %i = add nuw nsw i32 %first, %tx
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %sum = fadd float %s, %v
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr inbounds float, ptr %y, i32 %i
  store float %sum, ptr %q
  ret void
}
; It tests before its body whether there is an iteration: one that was begun would be begun again.
; CHECK-LABEL: plan of no_test_before
; CHECK: no index sets cut: loop0, it tests whether it goes on before its body
define ptx_kernel void @no_test_before(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %bx, %nx
  %i = add nuw nsw i32 %first, %tx
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi float [ 0.0, %entry ], [ %sum, %body ]
  %more = icmp slt i32 %k, %i
  br i1 %more, label %body, label %end
body:
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %sum = fadd float %s, %v
  %next = add nuw nsw i32 %k, 1
  br label %loop
end:
  %q = getelementptr inbounds float, ptr %y, i32 %i
  store float %s, ptr %q
  ret void
}
; Two blocks lead to it.
; CHECK-LABEL: plan of no_entries
; CHECK: no index sets cut: loop0, it is entered from several places
define ptx_kernel void @no_entries(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %bx, %nx
  %i = add nuw nsw i32 %first, %tx
  %c = icmp slt i32 %n, %m
  br i1 %c, label %other, label %loop
other:
  store float 1.0, ptr %y
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ 0, %other ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ 1.0, %other ], [ %sum, %loop ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %sum = fadd float %s, %v
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr inbounds float, ptr %y, i32 %i
  store float %sum, ptr %q
  ret void
}
; Who of the warp runs an iteration together is asked.
; CHECK-LABEL: plan of no_meeting
; CHECK: no index sets cut: loop0, threads may wait for each other in it
define ptx_kernel void @no_meeting(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %bx, %nx
  %i = add nuw nsw i32 %first, %tx
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %vote = call i32 @llvm.nvvm.activemask()
  %w = uitofp i32 %vote to float
  store float %w, ptr %y
  %sum = fadd float %s, %v
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr inbounds float, ptr %y, i32 %i
  store float %sum, ptr %q
  ret void
}
; What a function does is not asked.
; CHECK-LABEL: plan of no_call
; CHECK: no index sets cut: loop0, threads may wait for each other in it
define ptx_kernel void @no_call(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %bx, %nx
  %i = add nuw nsw i32 %first, %tx
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  call void @other(ptr %y)
  %sum = fadd float %s, %v
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr inbounds float, ptr %y, i32 %i
  store float %sum, ptr %q
  ret void
}
; The product of one iteration is added in the next: which of two is fused hangs on how the loop is unrolled.
; CHECK-LABEL: plan of no_fusing
; CHECK: no index sets cut: loop0, how it is unrolled decides what is fused
define ptx_kernel void @no_fusing(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %bx, %nx
  %i = add nuw nsw i32 %first, %tx
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %add = fadd contract float %s, %v
  %sum = fmul contract float %add, %v
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr inbounds float, ptr %y, i32 %i
  store float %sum, ptr %q
  ret void
}
; Three of it would be long.
; CHECK-LABEL: plan of no_long
; CHECK: no index sets cut: loop0, it is long
define ptx_kernel void @no_long(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %bx, %nx
  %i = add nuw nsw i32 %first, %tx
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %u0 = fmul float %v, %v
  %u1 = fmul float %u0, %v
  %u2 = fmul float %u1, %v
  %u3 = fmul float %u2, %v
  %u4 = fmul float %u3, %v
  %u5 = fmul float %u4, %v
  %u6 = fmul float %u5, %v
  %u7 = fmul float %u6, %v
  %u8 = fmul float %u7, %v
  %u9 = fmul float %u8, %v
  %u10 = fmul float %u9, %v
  %u11 = fmul float %u10, %v
  %u12 = fmul float %u11, %v
  %u13 = fmul float %u12, %v
  %u14 = fmul float %u13, %v
  %u15 = fmul float %u14, %v
  %u16 = fmul float %u15, %v
  %u17 = fmul float %u16, %v
  %u18 = fmul float %u17, %v
  %u19 = fmul float %u18, %v
  %u20 = fmul float %u19, %v
  %u21 = fmul float %u20, %v
  %u22 = fmul float %u21, %v
  %u23 = fmul float %u22, %v
  %u24 = fmul float %u23, %v
  %u25 = fmul float %u24, %v
  %u26 = fmul float %u25, %v
  %u27 = fmul float %u26, %v
  %u28 = fmul float %u27, %v
  %u29 = fmul float %u28, %v
  %u30 = fmul float %u29, %v
  %u31 = fmul float %u30, %v
  %u32 = fmul float %u31, %v
  %u33 = fmul float %u32, %v
  %u34 = fmul float %u33, %v
  %u35 = fmul float %u34, %v
  %u36 = fmul float %u35, %v
  %u37 = fmul float %u36, %v
  %u38 = fmul float %u37, %v
  %u39 = fmul float %u38, %v
  %u40 = fmul float %u39, %v
  %u41 = fmul float %u40, %v
  %u42 = fmul float %u41, %v
  %u43 = fmul float %u42, %v
  %u44 = fmul float %u43, %v
  %u45 = fmul float %u44, %v
  %u46 = fmul float %u45, %v
  %u47 = fmul float %u46, %v
  %u48 = fmul float %u47, %v
  %u49 = fmul float %u48, %v
  %u50 = fmul float %u49, %v
  %u51 = fmul float %u50, %v
  %u52 = fmul float %u51, %v
  %u53 = fmul float %u52, %v
  %u54 = fmul float %u53, %v
  %u55 = fmul float %u54, %v
  %u56 = fmul float %u55, %v
  %u57 = fmul float %u56, %v
  %u58 = fmul float %u57, %v
  %u59 = fmul float %u58, %v
  %u60 = fmul float %u59, %v
  %u61 = fmul float %u60, %v
  %u62 = fmul float %u61, %v
  %u63 = fmul float %u62, %v
  %u64 = fmul float %u63, %v
  %u65 = fmul float %u64, %v
  %u66 = fmul float %u65, %v
  %u67 = fmul float %u66, %v
  %u68 = fmul float %u67, %v
  %u69 = fmul float %u68, %v
  %u70 = fmul float %u69, %v
  %u71 = fmul float %u70, %v
  %u72 = fmul float %u71, %v
  %u73 = fmul float %u72, %v
  %u74 = fmul float %u73, %v
  %u75 = fmul float %u74, %v
  %u76 = fmul float %u75, %v
  %u77 = fmul float %u76, %v
  %u78 = fmul float %u77, %v
  %u79 = fmul float %u78, %v
  %u80 = fmul float %u79, %v
  %u81 = fmul float %u80, %v
  %u82 = fmul float %u81, %v
  %u83 = fmul float %u82, %v
  %u84 = fmul float %u83, %v
  %u85 = fmul float %u84, %v
  %u86 = fmul float %u85, %v
  %u87 = fmul float %u86, %v
  %u88 = fmul float %u87, %v
  %u89 = fmul float %u88, %v
  %u90 = fmul float %u89, %v
  %u91 = fmul float %u90, %v
  %u92 = fmul float %u91, %v
  %u93 = fmul float %u92, %v
  %u94 = fmul float %u93, %v
  %u95 = fmul float %u94, %v
  %u96 = fmul float %u95, %v
  %u97 = fmul float %u96, %v
  %u98 = fmul float %u97, %v
  %u99 = fmul float %u98, %v
  %u100 = fmul float %u99, %v
  %u101 = fmul float %u100, %v
  %u102 = fmul float %u101, %v
  %u103 = fmul float %u102, %v
  %u104 = fmul float %u103, %v
  %u105 = fmul float %u104, %v
  %u106 = fmul float %u105, %v
  %u107 = fmul float %u106, %v
  %u108 = fmul float %u107, %v
  %u109 = fmul float %u108, %v
  %u110 = fmul float %u109, %v
  %u111 = fmul float %u110, %v
  %sum = fadd float %s, %v
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %i
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr inbounds float, ptr %y, i32 %i
  store float %sum, ptr %q
  ret void
}
; How much further the next thread goes is not known to be positive.
; CHECK-LABEL: plan of no_extremes
; CHECK: no index sets cut: loop0, the extremes of its count are not known
define ptx_kernel void @no_extremes(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %bx, %nx
  %i = add nuw nsw i32 %first, %tx
  %e = mul nsw i32 %i, %m
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %sum = fadd float %s, %v
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %e
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr inbounds float, ptr %y, i32 %i
  store float %sum, ptr %q
  ret void
}
; From where a thread starts it comes to every other number.
; CHECK-LABEL: plan of no_steps
; CHECK: no index sets cut: loop0, threads start it at different places, and it does not move by one
define ptx_kernel void @no_steps(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %bx, %nx
  %i = add nuw nsw i32 %first, %tx
  br label %loop
loop:
  %k = phi i32 [ %i, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %sum = fadd float %s, %v
  %next = add nuw nsw i32 %k, 2
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr inbounds float, ptr %y, i32 %i
  store float %sum, ptr %q
  ret void
}
; Of every iteration it is said that the number is not negative, and threads come to it in other iterations.
; CHECK-LABEL: plan of no_wrapping
; CHECK: no index sets cut: loop0, its numbers may wrap
define ptx_kernel void @no_wrapping(ptr noalias %x, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %bx, %nx
  %i = add nuw nsw i32 %first, %tx
  br label %loop
loop:
  %k = phi i32 [ %i, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %sum = fadd float %s, %v
  %next = add nsw i32 %k, -1
  %more = icmp ugt i32 %next, %m
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr inbounds float, ptr %y, i32 %i
  store float %sum, ptr %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask()
define internal void @other(ptr %p) noinline {
  store volatile float 1.0, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
