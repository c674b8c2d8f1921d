; Iterations of an outer loop run together where nothing is staged: threads that begin one after the other count
; from the block's first iteration; those that end one after the other, or together, begin with their own.
; Sums in memory stay in registers, and arrays are told apart by what the block touches from its lowest
; to its highest byte, at the ends of loops that threads run a different number of times.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of symmetric
; CHECK-NEXT: loop0: 8 iterations jammed in node{{[0-9]+}}, counted from tid.x before the thread's first
; CHECK-NEXT: register in loop1: access3
; CHECK: fact: array1 + 4*ctaid.x*ntid.x + (4)*(tid.x) + (4*s0)*(iter(loop1)) for 4 bytes to array1 + 4*s0 - 4 + (4*s0)*(iter(loop1)) for 4 bytes apart from array0 +
; CHECK: array1 a not staged: DivergentLoop
; CHECK-LABEL: plan of lower
; CHECK-NEXT: loop0: 8 iterations jammed in node{{[0-9]+$}}
; CHECK-LABEL: plan of added
; CHECK-NEXT: loop0: 8 iterations jammed in node{{[0-9]+$}}
; CHECK-NOT: apart
; CHECK-LABEL: plan of nearest
; CHECK-NEXT: loop0: 8 iterations jammed in node{{[0-9]+$}}
; As many as asked for, or none.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;unroll-jam=3>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=ASKED
; ASKED-LABEL: plan of symmetric
; ASKED-NEXT: loop0: 3 iterations jammed
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;unroll-jam=1>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=NONE
; NONE-LABEL: plan of symmetric
; NONE-NOT: abreast
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @symmetric(ptr writeonly %c, ptr readonly %a, i32 %rows, i32 %n) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %for.cond.preheader, label %if.end
for.cond.preheader:
  %mul4 = mul nsw i32 %n, %add
  %cmp761 = icmp sgt i32 %rows, 0
  br label %for.body
for.body:
  %j.063 = phi i32 [ %add, %for.cond.preheader ], [ %inc33, %for.cond.cleanup8 ]
  %add5 = add nsw i32 %j.063, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %c, i64 %idxprom
  store float 0.000000e+00, ptr %arrayidx, align 4
  br i1 %cmp761, label %for.body9, label %for.cond.cleanup8
for.cond.cleanup8:
  %3 = phi float [ 0.000000e+00, %for.body ], [ %add23, %for.body9 ]
  %mul28 = mul nsw i32 %j.063, %n
  %add29 = add nsw i32 %mul28, %add
  %idxprom30 = sext i32 %add29 to i64
  %arrayidx31 = getelementptr inbounds float, ptr %c, i64 %idxprom30
  store float %3, ptr %arrayidx31, align 4
  %inc33 = add nsw i32 %j.063, 1
  %cmp3 = icmp slt i32 %inc33, %n
  br i1 %cmp3, label %for.body, label %if.end
for.body9:
  %4 = phi float [ %add23, %for.body9 ], [ 0.000000e+00, %for.body ]
  %k.062 = phi i32 [ %inc, %for.body9 ], [ 0, %for.body ]
  %mul10 = mul nsw i32 %k.062, %n
  %add11 = add nsw i32 %mul10, %add
  %idxprom12 = sext i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds float, ptr %a, i64 %idxprom12
  %5 = load float, ptr %arrayidx13, align 4
  %add15 = add nsw i32 %mul10, %j.063
  %idxprom16 = sext i32 %add15 to i64
  %arrayidx17 = getelementptr inbounds float, ptr %a, i64 %idxprom16
  %6 = load float, ptr %arrayidx17, align 4
  %mul18 = fmul contract float %5, %6
  %add23 = fadd contract float %4, %mul18
  store float %add23, ptr %arrayidx, align 4
  %inc = add nuw nsw i32 %k.062, 1
  %exitcond.not = icmp eq i32 %inc, %rows
  br i1 %exitcond.not, label %for.cond.cleanup8, label %for.body9
if.end:
  ret void
}
define ptx_kernel void @lower(ptr readonly %a, ptr writeonly %c, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp sge i32 %add, %n
  %cmp3.not40 = icmp slt i32 %add, 0
  %or.cond = or i1 %cmp, %cmp3.not40
  br i1 %or.cond, label %if.end, label %for.cond4.preheader.lr.ph
for.cond4.preheader.lr.ph:
  %cmp537 = icmp sgt i32 %d, 0
  %mul16 = mul nsw i32 %n, %add
  br label %for.cond4.preheader
for.cond4.preheader:
  %j.041 = phi i32 [ 0, %for.cond4.preheader.lr.ph ], [ %inc21, %for.cond.cleanup6 ]
  br i1 %cmp537, label %for.body7, label %for.cond.cleanup6
for.cond.cleanup6:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond4.preheader ], [ %add15, %for.body7 ]
  %add17 = add nsw i32 %j.041, %mul16
  %idxprom18 = sext i32 %add17 to i64
  %arrayidx19 = getelementptr inbounds float, ptr %c, i64 %idxprom18
  store float %s.0.lcssa, ptr %arrayidx19, align 4
  %inc21 = add nuw i32 %j.041, 1
  %exitcond42.not = icmp eq i32 %j.041, %add
  br i1 %exitcond42.not, label %if.end, label %for.cond4.preheader
for.body7:
  %k.039 = phi i32 [ %inc, %for.body7 ], [ 0, %for.cond4.preheader ]
  %s.038 = phi float [ %add15, %for.body7 ], [ 0.000000e+00, %for.cond4.preheader ]
  %mul8 = mul nsw i32 %k.039, %n
  %add9 = add nsw i32 %mul8, %add
  %idxprom = sext i32 %add9 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add11 = add nsw i32 %mul8, %j.041
  %idxprom12 = sext i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds float, ptr %a, i64 %idxprom12
  %4 = load float, ptr %arrayidx13, align 4
  %mul14 = fmul contract float %3, %4
  %add15 = fadd contract float %s.038, %mul14
  %inc = add nuw nsw i32 %k.039, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7
if.end:
  ret void
}
define ptx_kernel void @added(ptr noalias readonly %x, ptr noalias readonly %w, ptr noalias %c, i32 %n, i32 %d) #0 {
entry:
  %cmp34 = icmp sgt i32 %n, 0
  br i1 %cmp34, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp431 = icmp sgt i32 %d, 0
  %mul7 = mul nsw i32 %d, %add
  %mul14 = shl nsw i32 %add, 6
  br label %for.cond3.preheader
for.cond3.preheader:
  %j.035 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc20, %for.cond.cleanup5 ]
  br i1 %cmp431, label %for.body6.lr.ph, label %for.cond.cleanup5
for.body6.lr.ph:
  %mul9 = mul nuw nsw i32 %j.035, %d
  %add15 = add nsw i32 %j.035, %mul14
  %idxprom16 = sext i32 %add15 to i64
  %arrayidx17 = getelementptr inbounds float, ptr %c, i64 %idxprom16
  %arrayidx17.promoted = load float, ptr %arrayidx17, align 4
  br label %for.body6
for.cond.cleanup:
  ret void
for.cond3.for.cond.cleanup5_crit_edge:
  store float %add18, ptr %arrayidx17, align 4
  br label %for.cond.cleanup5
for.cond.cleanup5:
  %inc20 = add nuw nsw i32 %j.035, 1
  %exitcond36.not = icmp eq i32 %inc20, %n
  br i1 %exitcond36.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %add1833 = phi float [ %arrayidx17.promoted, %for.body6.lr.ph ], [ %add18, %for.body6 ]
  %k.032 = phi i32 [ 0, %for.body6.lr.ph ], [ %inc, %for.body6 ]
  %add8 = add nsw i32 %k.032, %mul7
  %idxprom = sext i32 %add8 to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add10 = add nuw nsw i32 %k.032, %mul9
  %idxprom11 = zext nneg i32 %add10 to i64
  %arrayidx12 = getelementptr inbounds nuw float, ptr %w, i64 %idxprom11
  %4 = load float, ptr %arrayidx12, align 4
  %mul13 = fmul contract float %3, %4
  %add18 = fadd contract float %add1833, %mul13
  %inc = add nuw nsw i32 %k.032, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond3.for.cond.cleanup5_crit_edge, label %for.body6
}
define ptx_kernel void @nearest(ptr readonly %x, ptr readonly %w, ptr writeonly %best, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp35 = icmp sgt i32 %n, 0
  br i1 %cmp35, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %cmp432 = icmp sgt i32 %d, 0
  br label %for.cond3.preheader
for.cond3.preheader:
  %least.038 = phi float [ 0x46293E5940000000, %for.cond3.preheader.lr.ph ], [ %least.1, %for.cond.cleanup5 ]
  %j.037 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc17, %for.cond.cleanup5 ]
  %at.036 = phi i32 [ -1, %for.cond3.preheader.lr.ph ], [ %at.1, %for.cond.cleanup5 ]
  br i1 %cmp432, label %for.body6.lr.ph, label %for.cond.cleanup5
for.body6.lr.ph:
  %mul9 = mul nuw nsw i32 %j.037, %d
  br label %for.body6
for.cond.cleanup:
  %at.0.lcssa = phi i32 [ -1, %entry ], [ %at.1, %for.cond.cleanup5 ]
  %idxprom19 = sext i32 %add to i64
  %arrayidx20 = getelementptr inbounds i32, ptr %best, i64 %idxprom19
  store i32 %at.0.lcssa, ptr %arrayidx20, align 4
  ret void
for.cond.cleanup5:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond3.preheader ], [ %add14, %for.body6 ]
  %cmp15 = fcmp contract olt float %s.0.lcssa, %least.038
  %at.1 = select i1 %cmp15, i32 %j.037, i32 %at.036
  %least.1 = select i1 %cmp15, float %s.0.lcssa, float %least.038
  %inc17 = add nuw nsw i32 %j.037, 1
  %exitcond40.not = icmp eq i32 %inc17, %n
  br i1 %exitcond40.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %k.034 = phi i32 [ 0, %for.body6.lr.ph ], [ %inc, %for.body6 ]
  %s.033 = phi float [ 0.000000e+00, %for.body6.lr.ph ], [ %add14, %for.body6 ]
  %mul7 = shl nsw i32 %k.034, 12
  %add8 = add nsw i32 %mul7, %add
  %idxprom = sext i32 %add8 to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add10 = add nuw nsw i32 %k.034, %mul9
  %idxprom11 = zext nneg i32 %add10 to i64
  %arrayidx12 = getelementptr inbounds nuw float, ptr %w, i64 %idxprom11
  %4 = load float, ptr %arrayidx12, align 4
  %sub = fsub contract float %3, %4
  %mul13 = fmul contract float %sub, %sub
  %add14 = fadd contract float %s.033, %mul13
  %inc = add nuw nsw i32 %k.034, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" }
