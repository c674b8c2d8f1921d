; A loop in rounds that a thread comes to once: its registers are those with which all warps fit a multiprocessor. One that it comes to again and
; again gets what its loads need to be under way at once.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PLAN
; PLAN-LABEL: plan of once
; PLAN: unrolled by 16 iterations if aligned, access0 at once
; PLAN-LABEL: plan of again
; PLAN: unrolled by 16 iterations if aligned, access0 at once
; RUN: %opt -load-pass-plugin %mesi -passes='mesi,verify' -S %s | %FileCheck %s
; CHECK: define ptx_kernel void @once({{.*}} [[ONCE:#[0-9]+]] {
; CHECK: define ptx_kernel void @again({{.*}} [[AGAIN:#[0-9]+]] {
; CHECK-DAG: attributes [[ONCE]] = {{.*}}"nvvm.maxnreg"="32"
; CHECK-DAG: attributes [[AGAIN]] = {{.*}}"nvvm.maxnreg"="40"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @once(ptr noalias readonly %a, ptr noalias writeonly %y, i32 %n, i32 %m) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup

for.cond.preheader:
  %cmp37 = icmp sgt i32 %m, 0
  br i1 %cmp37, label %for.body, label %for.cond.cleanup

for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add6, %for.body ]
  %idxprom7 = sext i32 %add to i64
  %arrayidx8 = getelementptr inbounds float, ptr %y, i64 %idxprom7
  store float %s.0.lcssa, ptr %arrayidx8, align 4
  br label %cleanup

for.body:
  %k.09 = phi i32 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %s.08 = phi float [ %add6, %for.body ], [ 0.000000e+00, %for.cond.preheader ]
  %idxprom = zext nneg i32 %k.09 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add4 = add nsw i32 %k.09, %add
  %conv = sitofp i32 %add4 to float
  %mul5 = fmul float %3, %conv
  %add6 = fadd float %s.08, %mul5
  %inc = add nuw nsw i32 %k.09, 1
  %exitcond.not = icmp eq i32 %inc, %m
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cleanup:
  ret void
}

define ptx_kernel void @again(ptr noalias readonly %a, ptr noalias writeonly %y, i32 %n, i32 %m) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp11 = icmp slt i32 %add, %n
  br i1 %cmp11, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup

for.cond3.preheader.lr.ph:
  %cmp48 = icmp sgt i32 %m, 0
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %mul15 = mul i32 %1, %3
  br label %for.cond3.preheader

for.cond3.preheader:
  %i.012 = phi i32 [ %add, %for.cond3.preheader.lr.ph ], [ %add16, %for.cond.cleanup5 ]
  br i1 %cmp48, label %for.body6, label %for.cond.cleanup5

for.cond.cleanup:
  ret void

for.cond.cleanup5:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond3.preheader ], [ %add9, %for.body6 ]
  %idxprom10 = sext i32 %i.012 to i64
  %arrayidx11 = getelementptr inbounds float, ptr %y, i64 %idxprom10
  store float %s.0.lcssa, ptr %arrayidx11, align 4
  %add16 = add i32 %i.012, %mul15
  %cmp = icmp slt i32 %add16, %n
  br i1 %cmp, label %for.cond3.preheader, label %for.cond.cleanup

for.body6:
  %k.010 = phi i32 [ %inc, %for.body6 ], [ 0, %for.cond3.preheader ]
  %s.09 = phi float [ %add9, %for.body6 ], [ 0.000000e+00, %for.cond3.preheader ]
  %idxprom = zext nneg i32 %k.010 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %a, i64 %idxprom
  %4 = load float, ptr %arrayidx, align 4
  %add7 = add nsw i32 %k.010, %i.012
  %conv = sitofp i32 %add7 to float
  %mul8 = fmul float %4, %conv
  %add9 = fadd float %s.09, %mul8
  %inc = add nuw nsw i32 %k.010, 1
  %exitcond.not = icmp eq i32 %inc, %m
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()

attributes #0 = { nounwind "target-cpu"="sm_90" }

