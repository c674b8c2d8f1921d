; Two lanes that share nothing but cells which all threads read have no more of them in registers than one: blocks are not
; merged. Four tiles read ahead by 16 bytes need 48 registers.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of pairs
; CHECK-NEXT: region0: {{.*}} loop0 in strips of 32, depth 1
; CHECK-NOT: merge 2x1x1
; CHECK-NOT: else version
; RUN: %opt -load-pass-plugin %mesi -passes='mesi' -S %s | %FileCheck %s -check-prefix=IR
; IR: "nvvm.maxnreg"="48"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @pairs(ptr noalias noundef readonly captures(none) %x, ptr noalias noundef readonly captures(none) %y, ptr noalias noundef readonly captures(none) %z, ptr noalias noundef readonly captures(none) %m, ptr noalias noundef writeonly captures(none) %out, i32 noundef %n) #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %cmp318 = icmp sgt i32 %n, 0
  %idxprom4 = sext i32 %add to i64
  br i1 %cmp318, label %for.body.lr.ph, label %for.cond.cleanup
for.body.lr.ph:
  %arrayidx5 = getelementptr inbounds float, ptr %x, i64 %idxprom4
  %3 = load float, ptr %arrayidx5, align 4
  %arrayidx9 = getelementptr inbounds float, ptr %y, i64 %idxprom4
  %4 = load float, ptr %arrayidx9, align 4
  %arrayidx14 = getelementptr inbounds float, ptr %z, i64 %idxprom4
  %5 = load float, ptr %arrayidx14, align 4
  br label %for.body
for.cond.cleanup:
  %sum.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add24, %for.body ]
  %arrayidx26 = getelementptr inbounds float, ptr %out, i64 %idxprom4
  store float %sum.0.lcssa, ptr %arrayidx26, align 4
  br label %cleanup
for.body:
  %sum.020 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add24, %for.body ]
  %j.019 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %idxprom = zext nneg i32 %j.019 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %x, i64 %idxprom
  %6 = load float, ptr %arrayidx, align 4
  %sub = fsub contract float %6, %3
  %arrayidx7 = getelementptr inbounds nuw float, ptr %y, i64 %idxprom
  %7 = load float, ptr %arrayidx7, align 4
  %sub10 = fsub contract float %7, %4
  %arrayidx12 = getelementptr inbounds nuw float, ptr %z, i64 %idxprom
  %8 = load float, ptr %arrayidx12, align 4
  %sub15 = fsub contract float %8, %5
  %arrayidx17 = getelementptr inbounds nuw float, ptr %m, i64 %idxprom
  %9 = load float, ptr %arrayidx17, align 4
  %mul18 = fmul contract float %sub, %sub
  %mul19 = fmul contract float %sub10, %sub10
  %add20 = fadd contract float %mul18, %mul19
  %mul21 = fmul contract float %sub15, %sub15
  %add22 = fadd contract float %add20, %mul21
  %mul23 = fmul contract float %9, %add22
  %add24 = fadd contract float %sum.020, %mul23
  %inc = add nuw nsw i32 %j.019, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_90" }
