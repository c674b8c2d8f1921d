; What launches repay the copies of versions without merging. Rows that each thread sums by itself, all it reads, begin at 16 bytes or are long;
; walked downwards, they are whole sectors, or the blocks large and several. Rows of which each fourth is read begin at 16 bytes anyway, and
; where another array is read as well any row gains. Points of few coordinates need some centres.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;launch=9:32:_:_:_:288:96:3+9:32:_:_:_:288:97:3+9:32:_:_:_:288:257:3+1:256:_:_:_:256:97:3+2:256:_:_:_:512:97:3+9:64:_:_:_:576:3:12+9:64:_:_:_:576:3:14>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of up
; CHECK: fact: 4*s0 is a multiple of 16, or 256 <= trip(loop0){{$}}
; CHECK-NOT: is a multiple
; CHECK: launch 9x1x1:32x1x1:_:_:_:288:96:3: version 0
; CHECK: launch 9x1x1:32x1x1:_:_:_:288:97:3: original
; CHECK: launch 9x1x1:32x1x1:_:_:_:288:257:3: version 0
; CHECK-LABEL: plan of down
; CHECK: fact: 4*s0 is a multiple of 32, or 256 <= ntid.x{{$}}
; CHECK-NEXT: fact: 4*s0 is a multiple of 32, or 2 <= nctaid.x{{$}}
; CHECK: launch 9x1x1:32x1x1:_:_:_:288:96:3: version 0
; CHECK: launch 9x1x1:32x1x1:_:_:_:288:97:3: original
; CHECK: launch 9x1x1:32x1x1:_:_:_:288:257:3: original
; CHECK: launch 1x1x1:256x1x1:_:_:_:256:97:3: original
; CHECK: launch 2x1x1:256x1x1:_:_:_:512:97:3: version 0
; CHECK-LABEL: plan of quads
; CHECK-NOT: is a multiple
; CHECK: launch 9x1x1:32x1x1:_:_:_:288:97:3: version 0
; CHECK-LABEL: plan of two
; CHECK-NOT: is a multiple
; CHECK: launch 9x1x1:32x1x1:_:_:_:288:97:3: version 0
; CHECK-LABEL: plan of near
; CHECK: fact: 40 <= trip(loop0)*trip(loop1) <= 2147483647{{$}}
; CHECK: launch 9x1x1:64x1x1:_:_:_:576:3:12: original
; CHECK: launch 9x1x1:64x1x1:_:_:_:576:3:14: version 0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @up(ptr noalias readonly %x, ptr noalias readnone %v, ptr noalias writeonly %y, i32 %m, i32 %n, i32 %c) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %m
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup

for.cond.preheader:
  %cmp37 = icmp sgt i32 %n, 0
  br i1 %cmp37, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %mul4 = mul nsw i32 %n, %add
  br label %for.body

for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add6, %for.body ]
  %idxprom7 = sext i32 %add to i64
  %arrayidx8 = getelementptr inbounds float, ptr %y, i64 %idxprom7
  store float %s.0.lcssa, ptr %arrayidx8, align 4
  br label %cleanup

for.body:
  %k.09 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %s.08 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add6, %for.body ]
  %add5 = add nsw i32 %k.09, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add6 = fadd float %s.08, %3
  %inc = add nuw nsw i32 %k.09, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cleanup:
  ret void
}

define ptx_kernel void @down(ptr noalias readonly %x, ptr noalias readnone %v, ptr noalias writeonly %y, i32 %m, i32 %n, i32 %c) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %m
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup

for.cond.preheader:
  %cmp37 = icmp sgt i32 %n, 0
  br i1 %cmp37, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %mul4 = mul nsw i32 %n, %add
  br label %for.body

for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add6, %for.body ]
  %idxprom7 = sext i32 %add to i64
  %arrayidx8 = getelementptr inbounds float, ptr %y, i64 %idxprom7
  store float %s.0.lcssa, ptr %arrayidx8, align 4
  br label %cleanup

for.body:
  %k.0.in9 = phi i32 [ %n, %for.body.lr.ph ], [ %k.0, %for.body ]
  %s.08 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add6, %for.body ]
  %k.0 = add nsw i32 %k.0.in9, -1
  %add5 = add nsw i32 %k.0, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add6 = fadd float %s.08, %3
  %cmp3 = icmp samesign ugt i32 %k.0.in9, 1
  br i1 %cmp3, label %for.body, label %for.cond.cleanup

cleanup:
  ret void
}

define ptx_kernel void @quads(ptr noalias readonly %x, ptr noalias readnone %v, ptr noalias writeonly %y, i32 %m, i32 %n, i32 %c) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %m
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup

for.cond.preheader:
  %cmp37 = icmp sgt i32 %n, 0
  br i1 %cmp37, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %factor.op.mul = mul i32 %add, %n
  %mul4.reass = shl i32 %factor.op.mul, 2
  br label %for.body

for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add7, %for.body ]
  %idxprom8 = sext i32 %add to i64
  %arrayidx9 = getelementptr inbounds float, ptr %y, i64 %idxprom8
  store float %s.0.lcssa, ptr %arrayidx9, align 4
  br label %cleanup

for.body:
  %k.09 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %s.08 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add7, %for.body ]
  %add6 = add nsw i32 %k.09, %mul4.reass
  %idxprom = sext i32 %add6 to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add7 = fadd float %s.08, %3
  %inc = add nuw nsw i32 %k.09, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cleanup:
  ret void
}

define ptx_kernel void @two(ptr noalias readonly %x, ptr noalias readonly %v, ptr noalias writeonly %y, i32 %m, i32 %n, i32 %c) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %m
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup

for.cond.preheader:
  %cmp38 = icmp sgt i32 %n, 0
  br i1 %cmp38, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %mul4 = mul nsw i32 %n, %add
  br label %for.body

for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add9, %for.body ]
  %idxprom10 = sext i32 %add to i64
  %arrayidx11 = getelementptr inbounds float, ptr %y, i64 %idxprom10
  store float %s.0.lcssa, ptr %arrayidx11, align 4
  br label %cleanup

for.body:
  %k.010 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %s.09 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add9, %for.body ]
  %add5 = add nsw i32 %k.010, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %idxprom6 = zext nneg i32 %k.010 to i64
  %arrayidx7 = getelementptr inbounds nuw float, ptr %v, i64 %idxprom6
  %4 = load float, ptr %arrayidx7, align 4
  %mul8 = fmul float %3, %4
  %add9 = fadd float %s.09, %mul8
  %inc = add nuw nsw i32 %k.010, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

cleanup:
  ret void
}

define ptx_kernel void @near(ptr noalias readonly %x, ptr noalias readonly %v, ptr noalias writeonly %y, i32 %m, i32 %n, i32 %c) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %m
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup

for.cond.preheader:
  %cmp318 = icmp sgt i32 %c, 0
  br i1 %cmp318, label %for.cond4.preheader.lr.ph, label %for.cond.cleanup

for.cond4.preheader.lr.ph:
  %cmp515 = icmp sgt i32 %n, 0
  %mul8 = mul nsw i32 %n, %add
  br label %for.cond4.preheader

for.cond4.preheader:
  %j.020 = phi i32 [ 0, %for.cond4.preheader.lr.ph ], [ %inc18, %for.cond.cleanup6 ]
  %s.019 = phi float [ 0.000000e+00, %for.cond4.preheader.lr.ph ], [ %cond, %for.cond.cleanup6 ]
  br i1 %cmp515, label %for.body7.lr.ph, label %for.cond.cleanup6

for.body7.lr.ph:
  %mul10 = mul nuw nsw i32 %j.020, %n
  br label %for.body7

for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %cond, %for.cond.cleanup6 ]
  %idxprom20 = sext i32 %add to i64
  %arrayidx21 = getelementptr inbounds float, ptr %y, i64 %idxprom20
  store float %s.0.lcssa, ptr %arrayidx21, align 4
  br label %cleanup

for.cond.cleanup6:
  %d.0.lcssa = phi float [ 0.000000e+00, %for.cond4.preheader ], [ %add15, %for.body7 ]
  %cmp16 = fcmp ogt float %d.0.lcssa, %s.019
  %cond = select i1 %cmp16, float %d.0.lcssa, float %s.019
  %inc18 = add nuw nsw i32 %j.020, 1
  %exitcond22.not = icmp eq i32 %inc18, %c
  br i1 %exitcond22.not, label %for.cond.cleanup, label %for.cond4.preheader

for.body7:
  %k.017 = phi i32 [ 0, %for.body7.lr.ph ], [ %inc, %for.body7 ]
  %d.016 = phi float [ 0.000000e+00, %for.body7.lr.ph ], [ %add15, %for.body7 ]
  %add9 = add nsw i32 %k.017, %mul8
  %idxprom = sext i32 %add9 to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add11 = add nuw nsw i32 %k.017, %mul10
  %idxprom12 = zext nneg i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds nuw float, ptr %v, i64 %idxprom12
  %4 = load float, ptr %arrayidx13, align 4
  %sub = fsub float %3, %4
  %mul14 = fmul float %sub, %sub
  %add15 = fadd float %d.016, %mul14
  %inc = add nuw nsw i32 %k.017, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7

cleanup:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { nounwind "target-cpu"="sm_90" }

