; A thread whose loop's length differs from run to run runs it in rounds: many loads under way, no iteration more or fewer.
; Rows that may lie aligned are read 16 bytes at once where they do (@triangle); a loop that always runs as often has
; no other rounds than those (@table), and what is left over runs as it did. Cells of a thread's own may be stored (@in_place).
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;shared=0;merge=off;unroll-jam=1>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of triangle
; CHECK-NEXT: loop0: unrolled by 16 iterations, access0 access1 at once, threads 4*s0 apart
; CHECK-NOT: fact
; CHECK-LABEL: plan of in_place
; CHECK-NEXT: loop1: unrolled by 16 iterations{{$}}
; CHECK-LABEL: plan of table
; CHECK-NEXT: loop1: unrolled by 16 iterations if aligned, access1 at once
; CHECK-LABEL: plan of backward
; CHECK-NEXT: loop0: unrolled by 16 iterations{{$}}
; CHECK-LABEL: plan of complex_sums
; CHECK-NEXT: loop0: unrolled by 4 iterations{{$}}
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;unroll=1>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=NONE
; NONE-NOT: rounds
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<shared=0;merge=off;unroll-jam=1>,verify' -S %s | %FileCheck %s -check-prefix=IR
; IR-LABEL: define ptx_kernel void @triangle(
; IR: br i1 true, label %mesi.setup, label %entry, !mesi.dispatch
; IR: br i1 %{{.*}}, label %mesi.wide, label %mesi.each
; IR: mesi.round:
; IR-COUNT-2: load float, {{.*}}, align 16
; IR-COUNT-2: load float, {{.*}}, align 4
; IR-COUNT-2: load float, {{.*}}, align 8
; IR-COUNT-2: load float, {{.*}}, align 4
; IR: br i1 %{{.*}}, label %mesi.round, label %mesi.done, !llvm.loop [[KEEP:![0-9]+]]
; IR: mesi.round{{[0-9]+}}:
; IR-COUNT-32: load float, {{.*}}, align 4
; IR: br i1 %{{.*}}, label %mesi.round{{[0-9]+}}, label %mesi.done{{[0-9]+}}, !llvm.loop
; IR: and i64 %{{.*}}, 8
; IR: and i64 %{{.*}}, 4
; IR: and i64 %{{.*}}, 2
; IR: and i64 %{{.*}}, 1
; IR: [[KEEP]] = distinct !{[[KEEP]], [[DISABLE:![0-9]+]]}
; IR: [[DISABLE]] = !{!"llvm.loop.unroll.disable"}
; What the whole pipeline makes of it: no body beside the rounds, loads of 16 bytes.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<shared=0;merge=off;unroll-jam=1>,default<O3>,load-store-vectorizer' -S %s | %FileCheck %s -check-prefix=O3
; O3-LABEL: define ptx_kernel void @triangle(
; O3-NOT: for.body
; O3: load <4 x float>, {{.*}}, align 16
; O3-NOT: for.body
; O3: ret void
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @triangle(ptr readonly %l, ptr readonly %x, ptr writeonly %y, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %cmp3.not20 = icmp slt i32 %add, 0
  br i1 %cmp3.not20, label %for.cond.cleanup, label %for.body.lr.ph
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
  %j.022 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %s.021 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add9, %for.body ]
  %add5 = add nsw i32 %j.022, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %l, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %idxprom6 = zext nneg i32 %j.022 to i64
  %arrayidx7 = getelementptr inbounds nuw float, ptr %x, i64 %idxprom6
  %4 = load float, ptr %arrayidx7, align 4
  %mul8 = fmul contract float %3, %4
  %add9 = fadd contract float %s.021, %mul8
  %inc = add nuw i32 %j.022, 1
  %exitcond.not = icmp eq i32 %j.022, %add
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @in_place(ptr %x, i32 %n, i32 %m) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  %cmp340 = icmp sgt i32 %m, 0
  %or.cond = and i1 %cmp.not, %cmp340
  br i1 %or.cond, label %for.cond4.preheader.lr.ph, label %cleanup
for.cond4.preheader.lr.ph:
  %mul8 = mul nsw i32 %m, %add
  br label %for.cond4.preheader
for.cond4.preheader:
  %a.041 = phi i32 [ 0, %for.cond4.preheader.lr.ph ], [ %inc21, %for.cond.cleanup6 ]
  %cmp538.not = icmp eq i32 %a.041, 0
  br i1 %cmp538.not, label %for.cond.cleanup6, label %for.body7.lr.ph
for.body7.lr.ph:
  %add9 = add nsw i32 %a.041, %mul8
  %mul10 = mul nsw i32 %add9, %m
  %conv = uitofp nneg i32 %a.041 to float
  br label %for.body7
for.cond.cleanup6:
  %inc21 = add nuw nsw i32 %a.041, 1
  %exitcond42.not = icmp eq i32 %inc21, %m
  br i1 %exitcond42.not, label %cleanup, label %for.cond4.preheader
for.body7:
  %k.039 = phi i32 [ 0, %for.body7.lr.ph ], [ %inc, %for.body7 ]
  %add11 = add nsw i32 %k.039, %mul10
  %idxprom = sext i32 %add11 to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %mul12 = fmul contract float %3, 5.000000e-01
  %add13 = fadd contract float %mul12, %conv
  store float %add13, ptr %arrayidx, align 4
  %inc = add nuw nsw i32 %k.039, 1
  %exitcond.not = icmp eq i32 %inc, %a.041
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7
cleanup:
  ret void
}
define ptx_kernel void @table(ptr readonly %t, ptr readonly %x, ptr writeonly %y, i32 %n, i32 %m) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp28 = icmp slt i32 %add, %n
  br i1 %cmp28, label %for.body.lr.ph, label %for.cond.cleanup
for.body.lr.ph:
  %cmp425 = icmp sgt i32 %m, 0
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %mul16 = mul i32 %1, %3
  br label %for.body
for.cond.cleanup:
  ret void
for.body:
  %i.029 = phi i32 [ %add, %for.body.lr.ph ], [ %add17, %for.cond.cleanup5 ]
  %idxprom = sext i32 %i.029 to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %4 = load float, ptr %arrayidx, align 4
  br i1 %cmp425, label %for.body6, label %for.cond.cleanup5
for.cond.cleanup5:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.body ], [ %add10, %for.body6 ]
  %arrayidx12 = getelementptr inbounds float, ptr %y, i64 %idxprom
  store float %s.0.lcssa, ptr %arrayidx12, align 4
  %add17 = add i32 %i.029, %mul16
  %cmp = icmp slt i32 %add17, %n
  br i1 %cmp, label %for.body, label %for.cond.cleanup
for.body6:
  %k.027 = phi i32 [ %inc, %for.body6 ], [ 0, %for.body ]
  %s.026 = phi float [ %add10, %for.body6 ], [ 0.000000e+00, %for.body ]
  %idxprom7 = zext nneg i32 %k.027 to i64
  %arrayidx8 = getelementptr inbounds nuw float, ptr %t, i64 %idxprom7
  %5 = load float, ptr %arrayidx8, align 4
  %mul9 = fmul contract float %4, %5
  %add10 = fadd contract float %s.026, %mul9
  %inc = add nuw nsw i32 %k.027, 1
  %exitcond.not = icmp eq i32 %inc, %m
  br i1 %exitcond.not, label %for.cond.cleanup5, label %for.body6
}
define ptx_kernel void @backward(ptr readonly %l, ptr writeonly %y, i32 %n) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %mul4 = mul nsw i32 %n, %add
  br label %for.body
for.cond.cleanup:
  %idxprom8 = sext i32 %add to i64
  %arrayidx9 = getelementptr inbounds float, ptr %y, i64 %idxprom8
  store float %add6, ptr %arrayidx9, align 4
  br label %cleanup
for.body:
  %j.019 = phi i32 [ %n, %for.cond.preheader ], [ %sub7, %for.body ]
  %s.018 = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add6, %for.body ]
  %add5 = add nsw i32 %j.019, %mul4
  %3 = sext i32 %add5 to i64
  %4 = getelementptr float, ptr %l, i64 %3
  %arrayidx = getelementptr i8, ptr %4, i64 -4
  %5 = load float, ptr %arrayidx, align 4
  %add6 = fadd contract float %s.018, %5
  %sub7 = add nsw i32 %j.019, -2
  %cmp3 = icmp sgt i32 %sub7, %add
  br i1 %cmp3, label %for.body, label %for.cond.cleanup
cleanup:
  ret void
}
define ptx_kernel void @complex_sums(ptr readonly %in, ptr readonly %w, ptr writeonly %out, i32 %n) #0 {
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
  %cmp46 = icmp sgt i32 %n, 0
  %mul8 = mul nsw i32 %n, %add7
  br i1 %cmp46, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %im.0.lcssa = phi float [ 0.000000e+00, %entry ], [ %add26, %for.body ]
  %re.0.lcssa = phi float [ 0.000000e+00, %entry ], [ %add18, %for.body ]
  %add29 = add nsw i32 %mul8, %add
  %idxprom30 = sext i32 %add29 to i64
  %arrayidx31 = getelementptr inbounds { float, float }, ptr %out, i64 %idxprom30
  store float %re.0.lcssa, ptr %arrayidx31, align 8
  %ref.tmp.sroa.4.0.arrayidx31.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx31, i64 4
  store float %im.0.lcssa, ptr %ref.tmp.sroa.4.0.arrayidx31.sroa_idx, align 4
  ret void
for.body:
  %re.049 = phi float [ %add18, %for.body ], [ 0.000000e+00, %entry ]
  %im.048 = phi float [ %add26, %for.body ], [ 0.000000e+00, %entry ]
  %j.047 = phi i32 [ %inc, %for.body ], [ 0, %entry ]
  %add9 = add nuw nsw i32 %j.047, %mul8
  %idxprom = zext nneg i32 %add9 to i64
  %arrayidx = getelementptr inbounds nuw { float, float }, ptr %in, i64 %idxprom
  %v.sroa.0.0.copyload = load float, ptr %arrayidx, align 8
  %v.sroa.5.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4
  %v.sroa.5.0.copyload = load float, ptr %v.sroa.5.0.arrayidx.sroa_idx, align 4
  %mul10 = mul nuw nsw i32 %j.047, %n
  %add11 = add nsw i32 %mul10, %add
  %idxprom12 = sext i32 %add11 to i64
  %arrayidx13 = getelementptr inbounds { float, float }, ptr %w, i64 %idxprom12
  %c.sroa.0.0.copyload = load float, ptr %arrayidx13, align 8
  %c.sroa.5.0.arrayidx13.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx13, i64 4
  %c.sroa.5.0.copyload = load float, ptr %c.sroa.5.0.arrayidx13.sroa_idx, align 4
  %mul15 = fmul contract float %v.sroa.0.0.copyload, %c.sroa.0.0.copyload
  %mul17 = fmul contract float %v.sroa.5.0.copyload, %c.sroa.5.0.copyload
  %sub = fsub contract float %mul15, %mul17
  %add18 = fadd contract float %re.049, %sub
  %mul21 = fmul contract float %v.sroa.0.0.copyload, %c.sroa.5.0.copyload
  %mul24 = fmul contract float %v.sroa.5.0.copyload, %c.sroa.0.0.copyload
  %add25 = fadd contract float %mul24, %mul21
  %add26 = fadd contract float %im.048, %add25
  %inc = add nuw nsw i32 %j.047, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" }
