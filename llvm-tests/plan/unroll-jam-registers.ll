; Where each thread has its sum in a register, no sum is kept in one for it.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of covariance
; CHECK-NEXT: loop0: 8 iterations jammed in node{{[0-9]+}}, counted from tid.x before the thread's first
; CHECK-NOT: register in
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @covariance(ptr readonly %data, ptr writeonly %cov, i32 %rows, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %for.cond.preheader, label %if.end

for.cond.preheader:
  %cmp516 = icmp sgt i32 %rows, 0
  %mul16 = mul nsw i32 %n, %add
  br label %for.cond4.preheader

for.cond4.preheader:
  %b.019 = phi i32 [ %add, %for.cond.preheader ], [ %inc21, %for.cond.cleanup6 ]
  br i1 %cmp516, label %for.body7, label %for.cond.cleanup6

for.cond.cleanup6:
  %sum.0.lcssa = phi float [ 0.000000e+00, %for.cond4.preheader ], [ %add15, %for.body7 ]
  %add17 = add nsw i32 %b.019, %mul16
  %idxprom18 = sext i32 %add17 to i64
  %arrayidx19 = getelementptr inbounds float, ptr %cov, i64 %idxprom18
  store float %sum.0.lcssa, ptr %arrayidx19, align 4
  %inc21 = add nsw i32 %b.019, 1
  %cmp3 = icmp slt i32 %inc21, %n
  br i1 %cmp3, label %for.cond4.preheader, label %if.end

for.body7:
  %i.018 = phi i32 [ %inc, %for.body7 ], [ 0, %for.cond4.preheader ]
  %sum.017 = phi float [ %add15, %for.body7 ], [ 0.000000e+00, %for.cond4.preheader ]
  %mul8 = mul nsw i32 %i.018, %n
  %add9 = add nsw i32 %mul8, %add
  %idxprom = sext i32 %add9 to i64
  %arrayidx = getelementptr inbounds float, ptr %data, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add11 = add nsw i32 %mul8, %b.019
  %idxprom12 = sext i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds float, ptr %data, i64 %idxprom12
  %4 = load float, ptr %arrayidx13, align 4
  %mul14 = fmul contract float %3, %4
  %add15 = fadd contract float %sum.017, %mul14
  %inc = add nuw nsw i32 %i.018, 1
  %exitcond.not = icmp eq i32 %inc, %rows
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7

if.end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
