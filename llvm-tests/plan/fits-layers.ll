; A grid of many layers: two lanes along y want two blocks there, or small ones. Of a block of 1024 threads whose second lane is not there, half of
; the registers and tiles would serve nobody.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;launch=1x1x148:32x32:_:_:_:32:148+2x2x148:32x32:_:_:_:64:148+4x1x32:8x32:_:_:_:32:32>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: merge 1x2x1 blocks
; CHECK: fact: 1 <= -ntid.x*ntid.y + 1024*nctaid.y
; CHECK: launch 1x1x148:32x32x1:_:_:_:32:148: original
; CHECK: launch 2x2x148:32x32x1:_:_:_:64:148: version 2
; CHECK: launch 4x1x32:8x32x1:_:_:_:32:32: version 2
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @layers(ptr readonly %A, ptr readonly %B, ptr writeonly %C, i32 %n, i32 %batch) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %mul5 = mul nuw nsw i32 %3, %4
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %add7 = add nuw nsw i32 %mul5, %5
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %conv = zext nneg i32 %6 to i64
  %conv9 = sext i32 %n to i64
  %mul10 = mul nsw i64 %conv9, %conv
  %mul12 = mul nsw i64 %mul10, %conv9
  %cmp = icmp slt i32 %add7, %n
  %cmp13 = icmp slt i32 %add, %n
  %or.cond = and i1 %cmp, %cmp13
  br i1 %or.cond, label %for.body.lr.ph, label %if.end

for.body.lr.ph:
  %mul15 = mul nsw i32 %n, %add7
  %conv16 = zext nneg i32 %mul15 to i64
  %7 = getelementptr float, ptr %A, i64 %mul12
  %8 = getelementptr float, ptr %7, i64 %conv16
  %conv23 = sext i32 %add to i64
  %9 = getelementptr float, ptr %B, i64 %mul12
  %invariant.gep = getelementptr float, ptr %9, i64 %conv23
  br label %for.body

for.cond.cleanup:
  %conv29 = zext nneg i32 %mul15 to i64
  %10 = getelementptr float, ptr %C, i64 %mul12
  %11 = getelementptr float, ptr %10, i64 %conv29
  %arrayidx33 = getelementptr float, ptr %11, i64 %conv23
  store float %add27, ptr %arrayidx33, align 4
  br label %if.end

for.body:
  %i.020 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %sum.019 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add27, %for.body ]
  %conv18 = zext nneg i32 %i.020 to i64
  %arrayidx = getelementptr float, ptr %8, i64 %conv18
  %12 = load float, ptr %arrayidx, align 4
  %mul20 = mul nuw nsw i32 %i.020, %n
  %conv21 = zext nneg i32 %mul20 to i64
  %gep = getelementptr float, ptr %invariant.gep, i64 %conv21
  %13 = load float, ptr %gep, align 4
  %mul26 = fmul contract float %12, %13
  %add27 = fadd contract float %sum.019, %mul26
  %inc = add nuw nsw i32 %i.020, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()

attributes #0 = { nounwind "target-cpu"="sm_90" }

