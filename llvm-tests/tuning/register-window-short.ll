; Windows of two dimensions: versions with eight, four and two lanes, and what runs without tiles: lanes whose loops stay rolled, and rounds, with
; what is left over of their inner loop first. Which of them a launch runs is measured.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of window
; CHECK-NEXT: merge 8x1x1 blocks
; CHECK: pays: 1056 <= nctaid.x*nctaid.y{{$}}
; CHECK: pays: {{[0-9]+}} <= trip(loop0)*trip(loop1){{$}}
; CHECK: whole: merge 4x1x1 blocks, 5 loads of all replicas, 5 addresses
; CHECK-NEXT: whole: loop1: unrolled by 4 iterations, the rest before them one by one{{$}}
; CHECK: shared: 20480 bytes
; CHECK: else version 1
; CHECK-NEXT: merge 4x1x1 blocks
; CHECK: else version 2
; CHECK-NEXT: merge 2x1x1 blocks
; A launch asked about is told which of them it runs.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;form=own;launch=256x256:16x16:_:_:_:4096:4096:17+256x256:16x16:_:_:_:4096:4096:3+32x32:16x16:_:_:_:512:512:3>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=TOLD
; TOLD: launch 256x256x1:16x16x1:_:_:_:4096:4096:17: version 0
; TOLD: launch 256x256x1:16x16x1:_:_:_:4096:4096:3:
; TOLD: launch 32x32x1:16x16x1:_:_:_:512:512:3:
; In the inner loop of lanes without tiles the mask is read once, and nothing unrolls it.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<form=own>,verify' -S %s | %FileCheck %s --check-prefix=IR
; IR: define ptx_kernel void @"window$mesi$3"
; IR: mesi.fast:
; IR: mesi.loop{{[0-9]*}}:
; IR: mesi.loop{{[0-9]*}}:
; IR-COUNT-5: load float
; IR-NOT: load float
; IR: br i1 %{{.*}}, label %mesi.{{loop|done}}{{[0-9]*}}, label %mesi.{{loop|done}}{{[0-9]*}}, !llvm.loop [[ROLLED:![0-9]+]]
; IR: [[OFF:![0-9]+]] = !{!"llvm.loop.unroll.disable"}
; IR: [[ROLLED]] = distinct !{[[ROLLED]], [[OFF]]}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @window(ptr noalias noundef readonly captures(none) %img, ptr noalias noundef readonly captures(none) %mask, ptr noalias noundef writeonly captures(none) %out, i32 noundef %w, i32 noundef %h, i32 noundef %side) #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %mul5 = mul nuw nsw i32 %3, %4
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %add7 = add nuw nsw i32 %mul5, %5
  %add8 = add i32 %w, -1
  %sub = add i32 %add8, %side
  %cmp = icmp slt i32 %add, %w
  %cmp9 = icmp slt i32 %add7, %h
  %or.cond = and i1 %cmp, %cmp9
  br i1 %or.cond, label %for.cond.preheader, label %if.end
for.cond.preheader:
  %cmp1051 = icmp sgt i32 %side, 0
  br i1 %cmp1051, label %for.cond11.preheader, label %for.cond.cleanup
for.cond11.preheader:
  %dy.053 = phi i32 [ %inc26, %for.cond.cleanup13 ], [ 0, %for.cond.preheader ]
  %sum.052 = phi float [ %add24, %for.cond.cleanup13 ], [ 0.000000e+00, %for.cond.preheader ]
  %mul15 = mul nuw nsw i32 %dy.053, %side
  %add17 = add nuw nsw i32 %dy.053, %add7
  %mul18 = mul nsw i32 %add17, %sub
  %add19 = add nsw i32 %mul18, %add
  br label %for.body14
for.cond.cleanup:
  %sum.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add24, %for.cond.cleanup13 ]
  %mul28 = mul nsw i32 %w, %add7
  %add29 = add nsw i32 %mul28, %add
  %idxprom30 = sext i32 %add29 to i64
  %arrayidx31 = getelementptr inbounds float, ptr %out, i64 %idxprom30
  store float %sum.0.lcssa, ptr %arrayidx31, align 4
  br label %if.end
for.cond.cleanup13:
  %inc26 = add nuw nsw i32 %dy.053, 1
  %exitcond55.not = icmp eq i32 %inc26, %side
  br i1 %exitcond55.not, label %for.cond.cleanup, label %for.cond11.preheader
for.body14:
  %dx.050 = phi i32 [ 0, %for.cond11.preheader ], [ %inc, %for.body14 ]
  %sum.149 = phi float [ %sum.052, %for.cond11.preheader ], [ %add24, %for.body14 ]
  %add16 = add nuw nsw i32 %dx.050, %mul15
  %idxprom = zext nneg i32 %add16 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %mask, i64 %idxprom
  %6 = load float, ptr %arrayidx, align 4
  %add20 = add nsw i32 %add19, %dx.050
  %idxprom21 = sext i32 %add20 to i64
  %arrayidx22 = getelementptr inbounds float, ptr %img, i64 %idxprom21
  %7 = load float, ptr %arrayidx22, align 4
  %mul23 = fmul contract float %6, %7
  %add24 = fadd contract float %sum.149, %mul23
  %inc = add nuw nsw i32 %dx.050, 1
  %exitcond.not = icmp eq i32 %inc, %side
  br i1 %exitcond.not, label %for.cond.cleanup13, label %for.body14
if.end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
attributes #0 = { nounwind "target-cpu"="sm_90" }
