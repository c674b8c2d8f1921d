; Loops that must not run in rounds, or would gain nothing, run as they are: one kernel or two for each reason. Where a loop
; has branches (@branches) nothing is said.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;shared=0;merge=off;unroll-jam=1>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of communicates
; CHECK-NEXT: not unrolled: threads or blocks may communicate
; CHECK-LABEL: plan of carries
; CHECK-NEXT: not unrolled: unrolling would decide what is fused
; CHECK-LABEL: plan of shares
; CHECK-NEXT: not unrolled: unrolling would decide what is fused
; CHECK-LABEL: plan of counts
; CHECK-NEXT: not unrolled: a loop's length is not known where it begins
; CHECK-LABEL: plan of threes
; CHECK-NEXT: not unrolled: a loop's length is not known where it begins
; CHECK-LABEL: plan of even
; CHECK-NEXT: not unrolled: loops always run as often
; CHECK-LABEL: plan of unaligned
; CHECK-NEXT: not unrolled: loops always run as often
; CHECK-LABEL: plan of waits
; CHECK-NEXT: not unrolled: what is stored may be what the next iteration loads
; CHECK-LABEL: plan of runs_on
; CHECK-NEXT: not unrolled: what is stored may be what the next iteration loads
; Of a tile of 256 elements, filled by 16 threads or more, each thread fills 16, in one round; of one of 512, 32.
; CHECK-LABEL: plan of fills_once
; CHECK-NEXT: not unrolled: a loop runs a few iterations at most
; CHECK-LABEL: plan of fills_twice
; CHECK-NEXT: loop0: unrolled by 16 iterations
; CHECK-LABEL: plan of branches
; CHECK-NOT: rounds
; CHECK-LABEL: plan of lengthy
; CHECK-NEXT: not unrolled: an iteration is long
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @communicates(ptr %l, ptr writeonly %y, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %cmp3.not12 = icmp slt i32 %add, 0
  br i1 %cmp3.not12, label %for.cond.cleanup, label %for.body
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add4, %for.body ]
  %idxprom5 = sext i32 %add to i64
  %arrayidx6 = getelementptr inbounds float, ptr %y, i64 %idxprom5
  store float %s.0.lcssa, ptr %arrayidx6, align 4
  br label %cleanup
for.body:
  %j.014 = phi i32 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %s.013 = phi float [ %add4, %for.body ], [ 0.000000e+00, %for.cond.preheader ]
  %idxprom = zext nneg i32 %j.014 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %l, i64 %idxprom
  %3 = load volatile float, ptr %arrayidx, align 4
  %add4 = fadd contract float %s.013, %3
  %inc = add nuw i32 %j.014, 1
  %exitcond.not = icmp eq i32 %j.014, %add
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @carries(ptr readonly %l, ptr writeonly %y, i32 %n, float %w) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %cmp3.not13 = icmp slt i32 %add, 0
  br i1 %cmp3.not13, label %for.cond.cleanup, label %for.body
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %mul5, %for.body ]
  %idxprom6 = sext i32 %add to i64
  %arrayidx7 = getelementptr inbounds float, ptr %y, i64 %idxprom6
  store float %s.0.lcssa, ptr %arrayidx7, align 4
  br label %cleanup
for.body:
  %j.015 = phi i32 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %s.014 = phi float [ %mul5, %for.body ], [ 0.000000e+00, %for.cond.preheader ]
  %idxprom = zext nneg i32 %j.015 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %l, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add4 = fadd contract float %s.014, %3
  %mul5 = fmul contract float %w, %add4
  %inc = add nuw i32 %j.015, 1
  %exitcond.not = icmp eq i32 %j.015, %add
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @shares(ptr readonly %l, ptr writeonly %y, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %cmp3.not30 = icmp slt i32 %add, 0
  br i1 %cmp3.not30, label %for.cond.cleanup, label %for.body.preheader
for.body.preheader:
  %.pre = load float, ptr %l, align 4
  br label %for.body
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add16, %for.body ]
  %idxprom17 = sext i32 %add to i64
  %arrayidx18 = getelementptr inbounds float, ptr %y, i64 %idxprom17
  store float %s.0.lcssa, ptr %arrayidx18, align 4
  br label %cleanup
for.body:
  %3 = phi float [ %4, %for.body ], [ %.pre, %for.body.preheader ]
  %j.032 = phi i32 [ %add4, %for.body ], [ 0, %for.body.preheader ]
  %s.031 = phi float [ %add16, %for.body ], [ 0.000000e+00, %for.body.preheader ]
  %idxprom = zext nneg i32 %j.032 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %l, i64 %idxprom
  %add4 = add nuw nsw i32 %j.032, 1
  %idxprom5 = zext nneg i32 %add4 to i64
  %arrayidx6 = getelementptr inbounds nuw float, ptr %l, i64 %idxprom5
  %4 = load float, ptr %arrayidx6, align 4
  %mul7 = fmul contract float %3, %4
  %arrayidx13 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %5 = load float, ptr %arrayidx13, align 4
  %mul14 = fmul contract float %4, %5
  %add15 = fadd contract float %mul7, %mul14
  %add16 = fadd contract float %s.031, %add15
  %exitcond.not = icmp eq i32 %j.032, %add
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @counts(ptr readonly %l, ptr readonly %start, ptr writeonly %y, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %if.end, label %cleanup
if.end:
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds i32, ptr %start, i64 %idxprom
  %3 = load i32, ptr %arrayidx, align 4
  %arrayidx5 = getelementptr i8, ptr %arrayidx, i64 4
  %4 = load i32, ptr %arrayidx5, align 4
  %cmp619 = icmp slt i32 %3, %4
  br i1 %cmp619, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %if.end ], [ %add9, %for.body ]
  %arrayidx11 = getelementptr inbounds float, ptr %y, i64 %idxprom
  store float %s.0.lcssa, ptr %arrayidx11, align 4
  br label %cleanup
for.body:
  %j.021 = phi i32 [ %inc, %for.body ], [ %3, %if.end ]
  %s.020 = phi float [ %add9, %for.body ], [ 0.000000e+00, %if.end ]
  %idxprom7 = sext i32 %j.021 to i64
  %arrayidx8 = getelementptr inbounds float, ptr %l, i64 %idxprom7
  %5 = load float, ptr %arrayidx8, align 4
  %add9 = fadd contract float %s.020, %5
  %inc = add nsw i32 %j.021, 1
  %exitcond.not = icmp eq i32 %inc, %4
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @threes(ptr readonly %l, ptr writeonly %y, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %cmp3.not13 = icmp slt i32 %add, 0
  br i1 %cmp3.not13, label %for.cond.cleanup, label %for.body
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add4, %for.body ]
  %idxprom6 = sext i32 %add to i64
  %arrayidx7 = getelementptr inbounds float, ptr %y, i64 %idxprom6
  store float %s.0.lcssa, ptr %arrayidx7, align 4
  br label %cleanup
for.body:
  %j.015 = phi i32 [ %add5, %for.body ], [ 0, %for.cond.preheader ]
  %s.014 = phi float [ %add4, %for.body ], [ 0.000000e+00, %for.cond.preheader ]
  %idxprom = zext nneg i32 %j.015 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %l, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add4 = fadd contract float %s.014, %3
  %add5 = add nuw nsw i32 %j.015, 3
  %cmp3.not = icmp sgt i32 %add5, %add
  br i1 %cmp3.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @even(ptr readonly %l, ptr writeonly %y, i32 %n, i32 %m) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %cmp315 = icmp sgt i32 %m, 0
  br i1 %cmp315, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add6, %for.body ]
  %idxprom7 = sext i32 %add to i64
  %arrayidx8 = getelementptr inbounds float, ptr %y, i64 %idxprom7
  store float %s.0.lcssa, ptr %arrayidx8, align 4
  br label %cleanup
for.body:
  %j.017 = phi i32 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %s.016 = phi float [ %add6, %for.body ], [ 0.000000e+00, %for.cond.preheader ]
  %mul4 = mul nsw i32 %j.017, %n
  %add5 = add nsw i32 %mul4, %add
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %l, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add6 = fadd contract float %s.016, %3
  %inc = add nuw nsw i32 %j.017, 1
  %exitcond.not = icmp eq i32 %inc, %m
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @unaligned(ptr readonly %l, ptr writeonly %y, i32 %n, i32 %m) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %cmp313 = icmp sgt i32 %m, 0
  br i1 %cmp313, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add5, %for.body ]
  %idxprom6 = sext i32 %add to i64
  %arrayidx7 = getelementptr inbounds float, ptr %y, i64 %idxprom6
  store float %s.0.lcssa, ptr %arrayidx7, align 4
  br label %cleanup
for.body:
  %j.015 = phi i32 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %s.014 = phi float [ %add5, %for.body ], [ 0.000000e+00, %for.cond.preheader ]
  %add4 = add nsw i32 %j.015, %add
  %idxprom = sext i32 %add4 to i64
  %arrayidx = getelementptr inbounds float, ptr %l, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add5 = fadd contract float %s.014, %3
  %inc = add nuw nsw i32 %j.015, 1
  %exitcond.not = icmp eq i32 %inc, %m
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @waits(ptr readonly %l, ptr writeonly %y, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp sge i32 %add, %n
  %cmp3.not20 = icmp slt i32 %add, 0
  %or.cond = or i1 %cmp.not, %cmp3.not20
  br i1 %or.cond, label %cleanup, label %for.body
for.body:
  %j.021 = phi i32 [ %inc, %for.body ], [ 0, %entry ]
  %idxprom = zext nneg i32 %j.021 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %l, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %mul4 = shl nuw nsw i32 %j.021, 1
  %idxprom5 = zext nneg i32 %mul4 to i64
  %arrayidx6 = getelementptr inbounds nuw float, ptr %l, i64 %idxprom5
  %4 = load float, ptr %arrayidx6, align 4
  %add7 = fadd contract float %3, %4
  %mul8 = mul nsw i32 %j.021, %n
  %add9 = add nsw i32 %mul8, %add
  %idxprom10 = sext i32 %add9 to i64
  %arrayidx11 = getelementptr inbounds float, ptr %y, i64 %idxprom10
  store float %add7, ptr %arrayidx11, align 4
  %inc = add nuw i32 %j.021, 1
  %exitcond.not = icmp eq i32 %j.021, %add
  br i1 %exitcond.not, label %cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @runs_on(ptr %y, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp sge i32 %add, %n
  %cmp3.not21 = icmp slt i32 %add, 0
  %or.cond = or i1 %cmp.not, %cmp3.not21
  br i1 %or.cond, label %cleanup, label %for.body.lr.ph
for.body.lr.ph:
  %mul4 = mul nsw i32 %n, %add
  br label %for.body
for.body:
  %j.022 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %add5 = add nsw i32 %j.022, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %y, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add6 = fadd contract float %3, 1.000000e+00
  %arrayidx11 = getelementptr i8, ptr %arrayidx, i64 4
  store float %add6, ptr %arrayidx11, align 4
  %inc = add nuw i32 %j.022, 1
  %exitcond.not = icmp eq i32 %j.022, %add
  br i1 %exitcond.not, label %cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @fills_once(ptr noalias readonly %l, ptr noalias writeonly %y) #0 {
entry:
  %tid = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begins = icmp ult i32 %tid, 256
  br i1 %begins, label %for.body, label %end
for.body:
  %j = phi i32 [ %inc, %for.body ], [ %tid, %entry ]
  %at = zext nneg i32 %j to i64
  %from = getelementptr inbounds nuw float, ptr %l, i64 %at
  %v = load float, ptr %from, align 4
  %to = getelementptr inbounds nuw float, ptr %y, i64 %at
  store float %v, ptr %to, align 4
  %inc = add nuw nsw i32 %j, 16
  %more = icmp ult i32 %inc, 256
  br i1 %more, label %for.body, label %end
end:
  ret void
}
define ptx_kernel void @fills_twice(ptr noalias readonly %l, ptr noalias writeonly %y) #0 {
entry:
  %tid = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begins = icmp ult i32 %tid, 512
  br i1 %begins, label %for.body, label %end
for.body:
  %j = phi i32 [ %inc, %for.body ], [ %tid, %entry ]
  %at = zext nneg i32 %j to i64
  %from = getelementptr inbounds nuw float, ptr %l, i64 %at
  %v = load float, ptr %from, align 4
  %to = getelementptr inbounds nuw float, ptr %y, i64 %at
  store float %v, ptr %to, align 4
  %inc = add nuw nsw i32 %j, 16
  %more = icmp ult i32 %inc, 512
  br i1 %more, label %for.body, label %end
end:
  ret void
}
define ptx_kernel void @branches(ptr readonly %l, ptr writeonly %y, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp sge i32 %add, %n
  %cmp3.not21 = icmp slt i32 %add, 0
  %or.cond = or i1 %cmp.not, %cmp3.not21
  br i1 %or.cond, label %cleanup, label %for.body
for.body:
  %j.022 = phi i32 [ %inc, %for.inc ], [ 0, %entry ]
  %idxprom = zext nneg i32 %j.022 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %l, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %cmp4 = fcmp contract ogt float %3, 0.000000e+00
  br i1 %cmp4, label %if.then5, label %for.inc
if.then5:
  %mul8 = mul nsw i32 %j.022, %n
  %add9 = add nsw i32 %mul8, %add
  %idxprom10 = sext i32 %add9 to i64
  %arrayidx11 = getelementptr inbounds float, ptr %y, i64 %idxprom10
  store float %3, ptr %arrayidx11, align 4
  br label %for.inc
for.inc:
  %inc = add nuw i32 %j.022, 1
  %exitcond.not = icmp eq i32 %j.022, %add
  br i1 %exitcond.not, label %cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @lengthy(ptr readonly %l, ptr writeonly %y, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %cmp3.not70 = icmp slt i32 %add, 0
  br i1 %cmp3.not70, label %for.cond.cleanup, label %for.body
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %sub39, %for.body ]
  %idxprom40 = sext i32 %add to i64
  %arrayidx41 = getelementptr inbounds float, ptr %y, i64 %idxprom40
  store float %s.0.lcssa, ptr %arrayidx41, align 4
  br label %cleanup
for.body:
  %j.072 = phi i32 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %s.071 = phi float [ %sub39, %for.body ], [ 0.000000e+00, %for.cond.preheader ]
  %idxprom = zext nneg i32 %j.072 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %l, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add4 = fadd contract float %s.071, %3
  %div = fdiv contract float %add4, 3.000000e+00
  %sub = fsub contract float %div, %3
  %div5 = fdiv contract float %sub, 5.000000e+00
  %sub6 = fsub contract float %div5, %s.071
  %div7 = fdiv contract float %sub6, 7.000000e+00
  %sub8 = fsub contract float %div7, %3
  %div9 = fdiv contract float %sub8, 9.000000e+00
  %sub10 = fsub contract float %div9, %s.071
  %div11 = fdiv contract float %sub10, 1.100000e+01
  %sub12 = fsub contract float %div11, %3
  %add13 = fadd contract float %3, %sub12
  %div14 = fdiv contract float %add13, 3.000000e+00
  %sub15 = fsub contract float %div14, %3
  %div16 = fdiv contract float %sub15, 5.000000e+00
  %sub17 = fsub contract float %div16, %sub12
  %div18 = fdiv contract float %sub17, 7.000000e+00
  %sub19 = fsub contract float %div18, %3
  %div20 = fdiv contract float %sub19, 9.000000e+00
  %sub21 = fsub contract float %div20, %sub12
  %div22 = fdiv contract float %sub21, 1.100000e+01
  %sub23 = fsub contract float %div22, %3
  %add24 = fadd contract float %3, %sub23
  %div25 = fdiv contract float %add24, 3.000000e+00
  %sub26 = fsub contract float %div25, %3
  %div27 = fdiv contract float %sub26, 5.000000e+00
  %sub28 = fsub contract float %div27, %sub23
  %div29 = fdiv contract float %sub28, 7.000000e+00
  %sub30 = fsub contract float %div29, %3
  %div31 = fdiv contract float %sub30, 9.000000e+00
  %sub32 = fsub contract float %div31, %sub23
  %div33 = fdiv contract float %sub32, 1.100000e+01
  %sub34 = fsub contract float %div33, %3
  %add35 = fadd contract float %3, %sub34
  %div36 = fdiv contract float %add35, 3.000000e+00
  %sub37 = fsub contract float %div36, %3
  %div38 = fdiv contract float %sub37, 5.000000e+00
  %sub39 = fsub contract float %div38, %sub34
  %inc = add nuw i32 %j.072, 1
  %exitcond.not = icmp eq i32 %j.072, %add
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" }
