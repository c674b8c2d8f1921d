; Windows in two dimensions with clamped indices are staged for the blocks inside. What runs without tiles is about the kernel as a whole,
; clamps included: lanes along x and y, which share half of the clamps, and rounds.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of clamped_window
; CHECK-NEXT: for interior blocks
; CHECK-NEXT: merge 4x1x1 blocks
; CHECK: whole: merge 2x2x1 blocks, {{[0-9]+}} loads of all replicas, {{[0-9]+}} addresses; loop0 without 4 clamps where they change nothing
; CHECK-NEXT: whole: loop1: unrolled by 8 iterations, half of one, the rest one by one; loop0 without 4 clamps where they change nothing{{$}}
; An unsigned maximum, and what limits it, stay.
; RUN: sed 's/llvm.smax.i32(i32 \(.sub\), i32 0)/llvm.umax.i32(i32 \1, i32 0)/; s/^declare i32 @llvm.smax.*/&\ndeclare i32 @llvm.umax.i32(i32, i32)/' %s | %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output - 2>&1 | %FileCheck %s --check-prefix=SOME
; SOME: loop0 without 2 clamps where they change nothing
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<form=own>,verify' -S %s | %FileCheck %s --check-prefix=IR
; IR: define ptx_kernel void @"clamped_window$mesi$2"
; Lanes, both ways: a mask's element and four of the image; two columns and two rows.
; IR: mesi.fast:
; IR: call i1 @llvm.nvvm.vote.all.sync(i32 %{{[0-9]+}}, i1 %{{[0-9]+}})
; IR: mesi.loop{{[0-9]*}}:
; IR: mesi.loop{{[0-9]*}}:
; IR-NOT: @llvm.smin
; IR-COUNT-5: load float
; IR: mesi.loop{{[0-9]*}}:
; IR-COUNT-2: call {{.*}}@llvm.smin.i32
; IR: mesi.loop{{[0-9]*}}:
; IR-COUNT-2: call {{.*}}@llvm.smin.i32
; IR-COUNT-5: load float
; IR: define ptx_kernel void @"clamped_window$mesi$3"
; Rounds without clamps for warps that are clear of them: 8, 4 and 3 iterations. The first column's sum does not overflow there.
; IR: call i1 @llvm.nvvm.vote.all.sync(i32 %{{[0-9]+}}, i1 %{{[0-9]+}})
; IR-NEXT: br i1 %{{[0-9]+}}, label %mesi.clear, label %mesi.clamped
; IR: mesi.loop:
; IR-NOT: @llvm.smin
; IR: mesi.round:
; IR-NOT: @llvm.smin
; IR: add nsw i32
; IR-NOT: @llvm.smin
; The same with clamps: a row's, and 15 columns'.
; IR: mesi.loop{{[0-9]*}}:
; IR: call {{.*}}@llvm.smin.i32
; IR: mesi.round{{[0-9]+}}:
; IR-COUNT-8: call {{.*}}@llvm.smin.i32
; IR: mesi.join{{[0-9]*}}:
; IR-COUNT-7: call {{.*}}@llvm.smin.i32
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @clamped_window(ptr noundef readonly captures(none) %img, ptr noundef readonly captures(none) %mask, ptr noundef writeonly captures(none) %out, i32 noundef %w, i32 noundef %h, i32 noundef %r) #0 {
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
  %cmp.not = icmp slt i32 %add, %w
  %cmp8.not = icmp slt i32 %add7, %h
  %or.cond = and i1 %cmp.not, %cmp8.not
  br i1 %or.cond, label %if.end, label %cleanup

if.end:
  %mul9 = shl i32 %r, 1
  %add10 = or disjoint i32 %mul9, 1
  %cmp11.not26 = icmp slt i32 %r, 0
  br i1 %cmp11.not26, label %for.cond.cleanup, label %for.cond12.preheader.lr.ph

for.cond12.preheader.lr.ph:
  %add16 = sub i32 %add, %r
  %sub18 = add nsw i32 %w, -1
  %add20 = sub nsw i32 %add7, %r
  %sub23 = add nsw i32 %h, -1
  %smax = call i32 @llvm.smax.i32(i32 %mul9, i32 0)
  br label %for.cond12.preheader

for.cond12.preheader:
  %sum.028 = phi float [ 0.000000e+00, %for.cond12.preheader.lr.ph ], [ %add32, %for.cond.cleanup14 ]
  %dy.027 = phi i32 [ 0, %for.cond12.preheader.lr.ph ], [ %inc34, %for.cond.cleanup14 ]
  %sub21 = add i32 %add20, %dy.027
  %6 = tail call noundef range(i32 0, -2147483648) i32 @llvm.smax.i32(i32 %sub21, i32 0)
  %7 = tail call noundef range(i32 -2147483648, 2147483647) i32 @llvm.smin.i32(i32 range(i32 0, -2147483648) %6, i32 range(i32 -2147483648, 2147483647) %sub23)
  %mul25 = mul nuw nsw i32 %dy.027, %add10
  %mul27 = mul nsw i32 %7, %w
  br label %for.body15

for.cond.cleanup:
  %sum.0.lcssa = phi float [ 0.000000e+00, %if.end ], [ %add32, %for.cond.cleanup14 ]
  %mul36 = mul nsw i32 %w, %add7
  %add37 = add nsw i32 %mul36, %add
  %idxprom38 = sext i32 %add37 to i64
  %arrayidx39 = getelementptr inbounds float, ptr %out, i64 %idxprom38
  store float %sum.0.lcssa, ptr %arrayidx39, align 4
  br label %cleanup

for.cond.cleanup14:
  %inc34 = add nuw nsw i32 %dy.027, 1
  %exitcond31.not = icmp eq i32 %dy.027, %smax
  br i1 %exitcond31.not, label %for.cond.cleanup, label %for.cond12.preheader

for.body15:
  %sum.125 = phi float [ %sum.028, %for.cond12.preheader ], [ %add32, %for.body15 ]
  %dx.024 = phi i32 [ 0, %for.cond12.preheader ], [ %inc, %for.body15 ]
  %sub = add i32 %add16, %dx.024
  %8 = tail call noundef range(i32 0, -2147483648) i32 @llvm.smax.i32(i32 %sub, i32 0)
  %9 = tail call noundef range(i32 -2147483648, 2147483647) i32 @llvm.smin.i32(i32 range(i32 0, -2147483648) %8, i32 range(i32 -2147483648, 2147483647) %sub18)
  %add26 = add nuw nsw i32 %dx.024, %mul25
  %idxprom = zext nneg i32 %add26 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %mask, i64 %idxprom
  %10 = load float, ptr %arrayidx, align 4
  %add28 = add nsw i32 %9, %mul27
  %idxprom29 = sext i32 %add28 to i64
  %arrayidx30 = getelementptr inbounds float, ptr %img, i64 %idxprom29
  %11 = load float, ptr %arrayidx30, align 4
  %mul31 = fmul contract float %10, %11
  %add32 = fadd contract float %sum.125, %mul31
  %inc = add nuw nsw i32 %dx.024, 1
  %exitcond.not = icmp eq i32 %dx.024, %smax
  br i1 %exitcond.not, label %for.cond.cleanup14, label %for.body15

cleanup:
  ret void
}

declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()

declare i32 @llvm.smin.i32(i32, i32)

declare i32 @llvm.smax.i32(i32, i32)
attributes #0 = { nounwind "target-cpu"="sm_90" }
