; Iterations that must not run together, or would gain nothing, run one after the other: one kernel for each reason.
; Where an inner loop's length depends on the iteration (@shape), nothing is said.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;shared=0;merge=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of communicates
; CHECK-NEXT: not jammed: threads or blocks may communicate
; CHECK-LABEL: plan of own_arrays
; CHECK-NEXT: not jammed: the kernel has shared or private arrays
; CHECK-LABEL: plan of shape
; CHECK-NOT: abreast
; CHECK-LABEL: plan of carried
; CHECK-NEXT: not jammed: an iteration needs what the one before it computed
; CHECK-LABEL: plan of trip
; CHECK-NEXT: not jammed: the loop's length is not known at entry
; CHECK-LABEL: plan of stores
; CHECK-NEXT: not jammed: an inner loop stores what cannot stay in a register
; CHECK-LABEL: plan of in_place
; CHECK-NEXT: not jammed: what is stored may be what other iterations load
; CHECK-LABEL: plan of nothing_common
; CHECK-NEXT: not jammed: no sure gain
; CHECK-LABEL: plan of same_cell
; CHECK-NEXT: not jammed: what is stored may be what other iterations load
; CHECK-LABEL: plan of fuses
; CHECK-NEXT: not jammed: a loop carries a product into a sum
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @communicates(ptr %c, ptr readonly %a, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp34 = icmp sgt i32 %n, 0
  br i1 %cmp34, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %cmp431 = icmp sgt i32 %d, 0
  br label %for.cond3.preheader
for.cond3.preheader:
  %j.035 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc19, %for.cond.cleanup5 ]
  br i1 %cmp431, label %for.body6, label %for.cond.cleanup5
for.cond.cleanup:
  ret void
for.cond.cleanup5:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond3.preheader ], [ %add14, %for.body6 ]
  %idxprom15 = zext nneg i32 %j.035 to i64
  %arrayidx16 = getelementptr inbounds nuw float, ptr %c, i64 %idxprom15
  %3 = atomicrmw fadd ptr %arrayidx16, float %s.0.lcssa seq_cst, align 4
  %inc19 = add nuw nsw i32 %j.035, 1
  %exitcond36.not = icmp eq i32 %inc19, %n
  br i1 %exitcond36.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %k.033 = phi i32 [ %inc, %for.body6 ], [ 0, %for.cond3.preheader ]
  %s.032 = phi float [ %add14, %for.body6 ], [ 0.000000e+00, %for.cond3.preheader ]
  %mul7 = mul nuw nsw i32 %k.033, %n
  %add8 = add nsw i32 %add, %mul7
  %idxprom = sext i32 %add8 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %4 = load float, ptr %arrayidx, align 4
  %add10 = add nuw nsw i32 %mul7, %j.035
  %idxprom11 = zext nneg i32 %add10 to i64
  %arrayidx12 = getelementptr inbounds nuw float, ptr %a, i64 %idxprom11
  %5 = load float, ptr %arrayidx12, align 4
  %mul13 = fmul contract float %4, %5
  %add14 = fadd contract float %s.032, %mul13
  %inc = add nuw nsw i32 %k.033, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
define ptx_kernel void @own_arrays(ptr writeonly %c, ptr readonly %a, i32 %n, i32 %d) #0 {
entry:
  %t = alloca [8 x float], align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %t)
  %0 = load float, ptr %a, align 4
  store float %0, ptr %t, align 4
  %idxprom.1 = sext i32 %n to i64
  %arrayidx.1 = getelementptr inbounds float, ptr %a, i64 %idxprom.1
  %1 = load float, ptr %arrayidx.1, align 4
  %arrayidx5.1 = getelementptr inbounds nuw i8, ptr %t, i64 4
  store float %1, ptr %arrayidx5.1, align 4
  %mul3.2 = shl nsw i32 %n, 1
  %idxprom.2 = sext i32 %mul3.2 to i64
  %arrayidx.2 = getelementptr inbounds float, ptr %a, i64 %idxprom.2
  %2 = load float, ptr %arrayidx.2, align 4
  %arrayidx5.2 = getelementptr inbounds nuw i8, ptr %t, i64 8
  store float %2, ptr %arrayidx5.2, align 4
  %mul3.3 = mul nsw i32 %n, 3
  %idxprom.3 = sext i32 %mul3.3 to i64
  %arrayidx.3 = getelementptr inbounds float, ptr %a, i64 %idxprom.3
  %3 = load float, ptr %arrayidx.3, align 4
  %arrayidx5.3 = getelementptr inbounds nuw i8, ptr %t, i64 12
  store float %3, ptr %arrayidx5.3, align 4
  %mul3.4 = shl nsw i32 %n, 2
  %idxprom.4 = sext i32 %mul3.4 to i64
  %arrayidx.4 = getelementptr inbounds float, ptr %a, i64 %idxprom.4
  %4 = load float, ptr %arrayidx.4, align 4
  %arrayidx5.4 = getelementptr inbounds nuw i8, ptr %t, i64 16
  store float %4, ptr %arrayidx5.4, align 4
  %mul3.5 = mul nsw i32 %n, 5
  %idxprom.5 = sext i32 %mul3.5 to i64
  %arrayidx.5 = getelementptr inbounds float, ptr %a, i64 %idxprom.5
  %5 = load float, ptr %arrayidx.5, align 4
  %arrayidx5.5 = getelementptr inbounds nuw i8, ptr %t, i64 20
  store float %5, ptr %arrayidx5.5, align 4
  %mul3.6 = mul nsw i32 %n, 6
  %idxprom.6 = sext i32 %mul3.6 to i64
  %arrayidx.6 = getelementptr inbounds float, ptr %a, i64 %idxprom.6
  %6 = load float, ptr %arrayidx.6, align 4
  %arrayidx5.6 = getelementptr inbounds nuw i8, ptr %t, i64 24
  store float %6, ptr %arrayidx5.6, align 4
  %mul3.7 = mul nsw i32 %n, 7
  %idxprom.7 = sext i32 %mul3.7 to i64
  %arrayidx.7 = getelementptr inbounds float, ptr %a, i64 %idxprom.7
  %7 = load float, ptr %arrayidx.7, align 4
  %arrayidx5.7 = getelementptr inbounds nuw i8, ptr %t, i64 28
  store float %7, ptr %arrayidx5.7, align 4
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %8, %9
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %10
  %cmp759 = icmp sgt i32 %n, 0
  br i1 %cmp759, label %for.cond10.preheader.lr.ph, label %for.cond.cleanup8
for.cond10.preheader.lr.ph:
  %cmp1156 = icmp sgt i32 %d, 0
  %mul30 = mul nsw i32 %n, %add
  br label %for.cond10.preheader
for.cond10.preheader:
  %j.060 = phi i32 [ 0, %for.cond10.preheader.lr.ph ], [ %inc35, %for.cond.cleanup12 ]
  br i1 %cmp1156, label %for.body13, label %for.cond.cleanup12
for.cond.cleanup8:
  call void @llvm.lifetime.end.p0(ptr nonnull %t)
  ret void
for.cond.cleanup12:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond10.preheader ], [ %add23, %for.body13 ]
  %and = and i32 %j.060, 7
  %idxprom27 = zext nneg i32 %and to i64
  %arrayidx28 = getelementptr inbounds nuw float, ptr %t, i64 %idxprom27
  %11 = load float, ptr %arrayidx28, align 4
  %add29 = fadd contract float %s.0.lcssa, %11
  %add31 = add nsw i32 %j.060, %mul30
  %idxprom32 = sext i32 %add31 to i64
  %arrayidx33 = getelementptr inbounds float, ptr %c, i64 %idxprom32
  store float %add29, ptr %arrayidx33, align 4
  %inc35 = add nuw nsw i32 %j.060, 1
  %exitcond61.not = icmp eq i32 %inc35, %n
  br i1 %exitcond61.not, label %for.cond.cleanup8, label %for.cond10.preheader
for.body13:
  %k.058 = phi i32 [ %inc25, %for.body13 ], [ 0, %for.cond10.preheader ]
  %s.057 = phi float [ %add23, %for.body13 ], [ 0.000000e+00, %for.cond10.preheader ]
  %mul14 = mul nuw nsw i32 %k.058, %n
  %add15 = add nsw i32 %mul14, %add
  %idxprom16 = sext i32 %add15 to i64
  %arrayidx17 = getelementptr inbounds float, ptr %a, i64 %idxprom16
  %12 = load float, ptr %arrayidx17, align 4
  %add19 = add nuw nsw i32 %mul14, %j.060
  %idxprom20 = zext nneg i32 %add19 to i64
  %arrayidx21 = getelementptr inbounds nuw float, ptr %a, i64 %idxprom20
  %13 = load float, ptr %arrayidx21, align 4
  %mul22 = fmul contract float %12, %13
  %add23 = fadd contract float %s.057, %mul22
  %inc25 = add nuw nsw i32 %k.058, 1
  %exitcond.not = icmp eq i32 %inc25, %d
  br i1 %exitcond.not, label %for.cond.cleanup12, label %for.body13
}
define ptx_kernel void @shape(ptr writeonly %c, ptr readonly %a, i32 %n) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp38 = icmp sgt i32 %n, 0
  br i1 %cmp38, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %mul15 = mul nsw i32 %n, %add
  br label %for.cond3.preheader
for.cond3.preheader:
  %j.039 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc20, %for.cond.cleanup5 ]
  %cmp435.not = icmp eq i32 %j.039, 0
  br i1 %cmp435.not, label %for.cond.cleanup5, label %for.body6
for.cond.cleanup:
  ret void
for.cond.cleanup5:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond3.preheader ], [ %add14, %for.body6 ]
  %add16 = add nsw i32 %j.039, %mul15
  %idxprom17 = sext i32 %add16 to i64
  %arrayidx18 = getelementptr inbounds float, ptr %c, i64 %idxprom17
  store float %s.0.lcssa, ptr %arrayidx18, align 4
  %inc20 = add nuw nsw i32 %j.039, 1
  %exitcond40.not = icmp eq i32 %inc20, %n
  br i1 %exitcond40.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %k.037 = phi i32 [ %inc, %for.body6 ], [ 0, %for.cond3.preheader ]
  %s.036 = phi float [ %add14, %for.body6 ], [ 0.000000e+00, %for.cond3.preheader ]
  %mul7 = mul nuw nsw i32 %k.037, %n
  %add8 = add nsw i32 %mul7, %add
  %idxprom = sext i32 %add8 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add10 = add nuw nsw i32 %mul7, %j.039
  %idxprom11 = zext nneg i32 %add10 to i64
  %arrayidx12 = getelementptr inbounds nuw float, ptr %a, i64 %idxprom11
  %4 = load float, ptr %arrayidx12, align 4
  %mul13 = fmul contract float %3, %4
  %add14 = fadd contract float %s.036, %mul13
  %inc = add nuw nsw i32 %k.037, 1
  %exitcond.not = icmp eq i32 %inc, %j.039
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6
}
define ptx_kernel void @carried(ptr writeonly %c, ptr readonly %a, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp37 = icmp sgt i32 %n, 0
  br i1 %cmp37, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %cmp434 = icmp sgt i32 %d, 0
  %mul15 = mul nsw i32 %n, %add
  br label %for.cond3.preheader
for.cond3.preheader:
  %j.039 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc20, %for.cond.cleanup5 ]
  %s.038 = phi float [ 0.000000e+00, %for.cond3.preheader.lr.ph ], [ %s.1.lcssa, %for.cond.cleanup5 ]
  br i1 %cmp434, label %for.body6, label %for.cond.cleanup5
for.cond.cleanup:
  ret void
for.cond.cleanup5:
  %s.1.lcssa = phi float [ %s.038, %for.cond3.preheader ], [ %add14, %for.body6 ]
  %add16 = add nsw i32 %j.039, %mul15
  %idxprom17 = sext i32 %add16 to i64
  %arrayidx18 = getelementptr inbounds float, ptr %c, i64 %idxprom17
  store float %s.1.lcssa, ptr %arrayidx18, align 4
  %inc20 = add nuw nsw i32 %j.039, 1
  %exitcond40.not = icmp eq i32 %inc20, %n
  br i1 %exitcond40.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %k.036 = phi i32 [ %inc, %for.body6 ], [ 0, %for.cond3.preheader ]
  %s.135 = phi float [ %add14, %for.body6 ], [ %s.038, %for.cond3.preheader ]
  %mul7 = mul nuw nsw i32 %k.036, %n
  %add8 = add nsw i32 %mul7, %add
  %idxprom = sext i32 %add8 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add10 = add nuw nsw i32 %mul7, %j.039
  %idxprom11 = zext nneg i32 %add10 to i64
  %arrayidx12 = getelementptr inbounds nuw float, ptr %a, i64 %idxprom11
  %4 = load float, ptr %arrayidx12, align 4
  %mul13 = fmul contract float %3, %4
  %add14 = fadd contract float %s.135, %mul13
  %inc = add nuw nsw i32 %k.036, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6
}
define ptx_kernel void @trip(ptr writeonly %c, ptr readonly %a, ptr readonly %len, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds i32, ptr %len, i64 %idxprom
  %3 = load i32, ptr %arrayidx, align 4
  %cmp39 = icmp sgt i32 %3, 0
  br i1 %cmp39, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %cmp436 = icmp sgt i32 %d, 0
  %mul17 = mul nsw i32 %n, %add
  br label %for.cond3.preheader
for.cond3.preheader:
  %j.040 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc22, %for.cond.cleanup5 ]
  br i1 %cmp436, label %for.body6, label %for.cond.cleanup5
for.cond.cleanup:
  ret void
for.cond.cleanup5:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond3.preheader ], [ %add16, %for.body6 ]
  %add18 = add nsw i32 %j.040, %mul17
  %idxprom19 = sext i32 %add18 to i64
  %arrayidx20 = getelementptr inbounds float, ptr %c, i64 %idxprom19
  store float %s.0.lcssa, ptr %arrayidx20, align 4
  %inc22 = add nuw nsw i32 %j.040, 1
  %exitcond41.not = icmp eq i32 %inc22, %3
  br i1 %exitcond41.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %k.038 = phi i32 [ %inc, %for.body6 ], [ 0, %for.cond3.preheader ]
  %s.037 = phi float [ %add16, %for.body6 ], [ 0.000000e+00, %for.cond3.preheader ]
  %mul7 = mul nsw i32 %k.038, %n
  %add8 = add nsw i32 %mul7, %add
  %idxprom9 = sext i32 %add8 to i64
  %arrayidx10 = getelementptr inbounds float, ptr %a, i64 %idxprom9
  %4 = load float, ptr %arrayidx10, align 4
  %add12 = add nsw i32 %mul7, %j.040
  %idxprom13 = sext i32 %add12 to i64
  %arrayidx14 = getelementptr inbounds float, ptr %a, i64 %idxprom13
  %5 = load float, ptr %arrayidx14, align 4
  %mul15 = fmul contract float %4, %5
  %add16 = fadd contract float %s.037, %mul15
  %inc = add nuw nsw i32 %k.038, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6
}
define ptx_kernel void @stores(ptr noalias writeonly %c, ptr noalias readonly %a, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp38 = icmp sgt i32 %n, 0
  br i1 %cmp38, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %cmp436 = icmp sgt i32 %d, 0
  %mul14 = mul nsw i32 %n, %add
  br label %for.cond3.preheader
for.cond3.preheader:
  %j.039 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc21, %for.cond.cleanup5 ]
  br i1 %cmp436, label %for.body6.lr.ph, label %for.cond.cleanup5
for.body6.lr.ph:
  %add15 = add nsw i32 %j.039, %mul14
  %mul16 = mul nsw i32 %add15, %d
  br label %for.body6
for.cond.cleanup:
  ret void
for.cond.cleanup5:
  %inc21 = add nuw nsw i32 %j.039, 1
  %exitcond40.not = icmp eq i32 %inc21, %n
  br i1 %exitcond40.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %k.037 = phi i32 [ 0, %for.body6.lr.ph ], [ %inc, %for.body6 ]
  %mul7 = mul nuw nsw i32 %k.037, %n
  %add8 = add nsw i32 %mul7, %add
  %idxprom = sext i32 %add8 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add10 = add nuw nsw i32 %mul7, %j.039
  %idxprom11 = zext nneg i32 %add10 to i64
  %arrayidx12 = getelementptr inbounds nuw float, ptr %a, i64 %idxprom11
  %4 = load float, ptr %arrayidx12, align 4
  %mul13 = fmul contract float %3, %4
  %add17 = add nsw i32 %k.037, %mul16
  %idxprom18 = sext i32 %add17 to i64
  %arrayidx19 = getelementptr inbounds float, ptr %c, i64 %idxprom18
  store float %mul13, ptr %arrayidx19, align 4
  %inc = add nuw nsw i32 %k.037, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6
}
define ptx_kernel void @in_place(ptr %a, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp38 = icmp sgt i32 %n, 0
  br i1 %cmp38, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %cmp435 = icmp sgt i32 %d, 0
  %mul15 = mul nsw i32 %n, %add
  br label %for.cond3.preheader
for.cond3.preheader:
  %j.039 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc20, %for.cond.cleanup5 ]
  br i1 %cmp435, label %for.body6, label %for.cond.cleanup5
for.cond.cleanup:
  ret void
for.cond.cleanup5:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond3.preheader ], [ %add14, %for.body6 ]
  %add16 = add nsw i32 %j.039, %mul15
  %idxprom17 = sext i32 %add16 to i64
  %arrayidx18 = getelementptr inbounds float, ptr %a, i64 %idxprom17
  store float %s.0.lcssa, ptr %arrayidx18, align 4
  %inc20 = add nuw nsw i32 %j.039, 1
  %exitcond40.not = icmp eq i32 %inc20, %n
  br i1 %exitcond40.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %k.037 = phi i32 [ %inc, %for.body6 ], [ 0, %for.cond3.preheader ]
  %s.036 = phi float [ %add14, %for.body6 ], [ 0.000000e+00, %for.cond3.preheader ]
  %mul7 = mul nuw nsw i32 %k.037, %n
  %add8 = add nsw i32 %mul7, %add
  %idxprom = sext i32 %add8 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add10 = add nuw nsw i32 %mul7, %j.039
  %idxprom11 = zext nneg i32 %add10 to i64
  %arrayidx12 = getelementptr inbounds nuw float, ptr %a, i64 %idxprom11
  %4 = load float, ptr %arrayidx12, align 4
  %mul13 = fmul contract float %3, %4
  %add14 = fadd contract float %s.036, %mul13
  %inc = add nuw nsw i32 %k.037, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6
}
define ptx_kernel void @nothing_common(ptr writeonly %c, ptr readonly %a, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp32 = icmp sgt i32 %n, 0
  br i1 %cmp32, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %cmp429 = icmp sgt i32 %d, 0
  %mul12 = mul nsw i32 %n, %add
  br label %for.cond3.preheader
for.cond3.preheader:
  %j.033 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc17, %for.cond.cleanup5 ]
  br i1 %cmp429, label %for.body6, label %for.cond.cleanup5
for.cond.cleanup:
  ret void
for.cond.cleanup5:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond3.preheader ], [ %add11, %for.body6 ]
  %add13 = add nsw i32 %j.033, %mul12
  %idxprom14 = sext i32 %add13 to i64
  %arrayidx15 = getelementptr inbounds float, ptr %c, i64 %idxprom14
  store float %s.0.lcssa, ptr %arrayidx15, align 4
  %inc17 = add nuw nsw i32 %j.033, 1
  %exitcond34.not = icmp eq i32 %inc17, %n
  br i1 %exitcond34.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %k.031 = phi i32 [ %inc, %for.body6 ], [ 0, %for.cond3.preheader ]
  %s.030 = phi float [ %add11, %for.body6 ], [ 0.000000e+00, %for.cond3.preheader ]
  %mul7 = mul nuw nsw i32 %k.031, %n
  %add8 = add nuw nsw i32 %mul7, %j.033
  %mul9 = mul nuw nsw i32 %add8, %n
  %add10 = add nsw i32 %mul9, %add
  %idxprom = sext i32 %add10 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add11 = fadd contract float %s.030, %3
  %inc = add nuw nsw i32 %k.031, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6
}
define ptx_kernel void @same_cell(ptr noalias %c, ptr noalias readonly %a, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp32 = icmp sgt i32 %n, 0
  br i1 %cmp32, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %cmp429 = icmp sgt i32 %d, 0
  %idxprom14 = sext i32 %add to i64
  %arrayidx15 = getelementptr inbounds float, ptr %c, i64 %idxprom14
  br label %for.cond3.preheader
for.cond3.preheader:
  %j.033 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc18, %for.cond.cleanup5 ]
  br i1 %cmp429, label %for.body6.lr.ph, label %for.cond.cleanup5
for.body6.lr.ph:
  %arrayidx15.promoted = load float, ptr %arrayidx15, align 4
  br label %for.body6
for.cond.cleanup:
  ret void
for.cond3.for.cond.cleanup5_crit_edge:
  store float %add16, ptr %arrayidx15, align 4
  br label %for.cond.cleanup5
for.cond.cleanup5:
  %inc18 = add nuw nsw i32 %j.033, 1
  %exitcond34.not = icmp eq i32 %inc18, %n
  br i1 %exitcond34.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %add1631 = phi float [ %arrayidx15.promoted, %for.body6.lr.ph ], [ %add16, %for.body6 ]
  %k.030 = phi i32 [ 0, %for.body6.lr.ph ], [ %inc, %for.body6 ]
  %mul7 = mul nuw nsw i32 %k.030, %n
  %add8 = add nsw i32 %mul7, %add
  %idxprom = sext i32 %add8 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add10 = add nuw nsw i32 %mul7, %j.033
  %idxprom11 = zext nneg i32 %add10 to i64
  %arrayidx12 = getelementptr inbounds nuw float, ptr %a, i64 %idxprom11
  %4 = load float, ptr %arrayidx12, align 4
  %mul13 = fmul contract float %3, %4
  %add16 = fadd contract float %add1631, %mul13
  %inc = add nuw nsw i32 %k.030, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond3.for.cond.cleanup5_crit_edge, label %for.body6
}
define ptx_kernel void @fuses(ptr noalias writeonly %c, ptr noalias readonly %a, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp41 = icmp sgt i32 %n, 0
  br i1 %cmp41, label %for.cond3.preheader.lr.ph, label %for.cond.cleanup
for.cond3.preheader.lr.ph:
  %cmp436 = icmp sgt i32 %d, 0
  %mul16 = mul nsw i32 %n, %add
  br label %for.cond3.preheader
for.cond3.preheader:
  %j.042 = phi i32 [ 0, %for.cond3.preheader.lr.ph ], [ %inc21, %for.cond.cleanup5 ]
  br i1 %cmp436, label %for.body6, label %for.cond.cleanup5
for.cond.cleanup:
  ret void
for.cond.cleanup5.loopexit:
  %3 = fadd contract float %add7, %mul14
  br label %for.cond.cleanup5
for.cond.cleanup5:
  %add15 = phi float [ 0.000000e+00, %for.cond3.preheader ], [ %3, %for.cond.cleanup5.loopexit ]
  %add17 = add nsw i32 %j.042, %mul16
  %idxprom18 = sext i32 %add17 to i64
  %arrayidx19 = getelementptr inbounds float, ptr %c, i64 %idxprom18
  store float %add15, ptr %arrayidx19, align 4
  %inc21 = add nuw nsw i32 %j.042, 1
  %exitcond43.not = icmp eq i32 %inc21, %n
  br i1 %exitcond43.not, label %for.cond.cleanup, label %for.cond3.preheader
for.body6:
  %k.039 = phi i32 [ %inc, %for.body6 ], [ 0, %for.cond3.preheader ]
  %p.038 = phi float [ %mul14, %for.body6 ], [ 0.000000e+00, %for.cond3.preheader ]
  %s.037 = phi float [ %add7, %for.body6 ], [ 0.000000e+00, %for.cond3.preheader ]
  %add7 = fadd contract float %s.037, %p.038
  %mul8 = mul nuw nsw i32 %k.039, %n
  %add9 = add nsw i32 %mul8, %add
  %idxprom = sext i32 %add9 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %4 = load float, ptr %arrayidx, align 4
  %add11 = add nuw nsw i32 %mul8, %j.042
  %idxprom12 = zext nneg i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds nuw float, ptr %a, i64 %idxprom12
  %5 = load float, ptr %arrayidx13, align 4
  %mul14 = fmul contract float %4, %5
  %inc = add nuw nsw i32 %k.039, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup5.loopexit, label %for.body6
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" }
