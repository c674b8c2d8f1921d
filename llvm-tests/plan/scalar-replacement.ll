; A sum in memory lives in a register while its loop runs, also where nothing is staged and where threads run the loop a
; different number of times. Left alone are sums that LLVM keeps in a register itself (@known_apart), sums
; of what the loop also reads elsewhere (@in_place), loads from anywhere (@chased), and sums that move (@moving).
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;shared=0;merge=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of column
; CHECK-NEXT: nothing staged: sums in registers
; CHECK-NEXT: register in loop0: access{{[0-9]+$}}
; CHECK: apart from array0
; CHECK-LABEL: plan of triangle
; CHECK-NEXT: nothing staged: sums in registers
; CHECK-NEXT: register in loop0: access{{[0-9]+$}}
; CHECK-LABEL: plan of known_apart
; CHECK-NOT: register
; CHECK-LABEL: plan of in_place
; CHECK-NOT: register
; CHECK-LABEL: plan of chased
; CHECK-NOT: register
; CHECK-LABEL: plan of moving
; CHECK-NOT: register
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<shared=0;merge=off>,verify' -S %s | %FileCheck %s -check-prefix=IR
; IR: define ptx_kernel void @column(
; IR-NOT: barrier
; IR: mesi.loop:
; IR-NOT: store
; IR: br i1 %{{.*}}, label %mesi.{{.*}}, label %mesi.
; IR: store float
; IR: ret void
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @column(ptr writeonly %y, ptr readonly %a, ptr readonly %x, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %if.then, label %if.end
if.then:
  %idxprom = sext i32 %add to i64
  %arrayidx = getelementptr inbounds float, ptr %y, i64 %idxprom
  store float 0.000000e+00, ptr %arrayidx, align 4
  %cmp322 = icmp sgt i32 %d, 0
  br i1 %cmp322, label %for.body, label %if.end
for.body:
  %3 = phi float [ %add13, %for.body ], [ 0.000000e+00, %if.then ]
  %k.023 = phi i32 [ %inc, %for.body ], [ 0, %if.then ]
  %mul4 = mul nsw i32 %k.023, %n
  %add5 = add nsw i32 %mul4, %add
  %idxprom6 = sext i32 %add5 to i64
  %arrayidx7 = getelementptr inbounds float, ptr %a, i64 %idxprom6
  %4 = load float, ptr %arrayidx7, align 4
  %idxprom8 = zext nneg i32 %k.023 to i64
  %arrayidx9 = getelementptr inbounds nuw float, ptr %x, i64 %idxprom8
  %5 = load float, ptr %arrayidx9, align 4
  %mul10 = fmul contract float %4, %5
  %add13 = fadd contract float %3, %mul10
  store float %add13, ptr %arrayidx, align 4
  %inc = add nuw nsw i32 %k.023, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %if.end, label %for.body
if.end:
  ret void
}
define ptx_kernel void @triangle(ptr %y, ptr readonly %a, ptr readonly %x, i32 %n) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp sge i32 %add, %n
  %cmp3.not19 = icmp slt i32 %add, 0
  %or.cond = or i1 %cmp, %cmp3.not19
  br i1 %or.cond, label %if.end, label %for.body.lr.ph
for.body.lr.ph:
  %idxprom9 = zext nneg i32 %add to i64
  %arrayidx10 = getelementptr inbounds nuw float, ptr %y, i64 %idxprom9
  %arrayidx10.promoted = load float, ptr %arrayidx10, align 4
  br label %for.body
for.body:
  %add1121 = phi float [ %arrayidx10.promoted, %for.body.lr.ph ], [ %add11, %for.body ]
  %k.020 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %mul4 = mul nsw i32 %k.020, %n
  %add5 = add nsw i32 %mul4, %add
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %idxprom6 = zext nneg i32 %k.020 to i64
  %arrayidx7 = getelementptr inbounds nuw float, ptr %x, i64 %idxprom6
  %4 = load float, ptr %arrayidx7, align 4
  %mul8 = fmul contract float %3, %4
  %add11 = fadd contract float %add1121, %mul8
  store float %add11, ptr %arrayidx10, align 4
  %inc = add nuw i32 %k.020, 1
  %exitcond.not = icmp eq i32 %k.020, %add
  br i1 %exitcond.not, label %if.end, label %for.body
if.end:
  ret void
}
define ptx_kernel void @known_apart(ptr noalias %y, ptr noalias readonly %a, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp11 = icmp sgt i32 %d, 0
  br i1 %cmp11, label %for.body.lr.ph, label %for.cond.cleanup
for.body.lr.ph:
  %idxprom5 = sext i32 %add to i64
  %arrayidx6 = getelementptr inbounds float, ptr %y, i64 %idxprom5
  %arrayidx6.promoted = load float, ptr %arrayidx6, align 4
  br label %for.body
for.cond.for.cond.cleanup_crit_edge:
  store float %add7, ptr %arrayidx6, align 4
  br label %for.cond.cleanup
for.cond.cleanup:
  ret void
for.body:
  %add713 = phi float [ %arrayidx6.promoted, %for.body.lr.ph ], [ %add7, %for.body ]
  %k.012 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %mul3 = mul nsw i32 %k.012, %n
  %add4 = add nsw i32 %mul3, %add
  %idxprom = sext i32 %add4 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add7 = fadd contract float %3, %add713
  %inc = add nuw nsw i32 %k.012, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.for.cond.cleanup_crit_edge, label %for.body
}
define ptx_kernel void @in_place(ptr %a, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp12 = icmp sgt i32 %d, 1
  br i1 %cmp12, label %for.body.lr.ph, label %for.cond.cleanup
for.body.lr.ph:
  %idxprom5 = sext i32 %add to i64
  %arrayidx6 = getelementptr inbounds float, ptr %a, i64 %idxprom5
  %arrayidx6.promoted = load float, ptr %arrayidx6, align 4
  br label %for.body
for.cond.cleanup:
  ret void
for.body:
  %add714 = phi float [ %arrayidx6.promoted, %for.body.lr.ph ], [ %add7, %for.body ]
  %k.013 = phi i32 [ 1, %for.body.lr.ph ], [ %inc, %for.body ]
  %mul3 = mul nsw i32 %k.013, %n
  %add4 = add nsw i32 %mul3, %add
  %idxprom = sext i32 %add4 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add7 = fadd contract float %3, %add714
  store float %add7, ptr %arrayidx6, align 4
  %inc = add nuw nsw i32 %k.013, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}
define ptx_kernel void @chased(ptr %y, ptr readonly %a, ptr readonly %next, i32 %n, i32 %d) #0 {
entry:
  %cmp11 = icmp sgt i32 %d, 0
  br i1 %cmp11, label %for.body.lr.ph, label %for.cond.cleanup
for.body.lr.ph:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %idxprom3 = sext i32 %add to i64
  %arrayidx4 = getelementptr inbounds float, ptr %y, i64 %idxprom3
  %arrayidx4.promoted = load float, ptr %arrayidx4, align 4
  br label %for.body
for.cond.cleanup:
  ret void
for.body:
  %add514 = phi float [ %arrayidx4.promoted, %for.body.lr.ph ], [ %add5, %for.body ]
  %j.013 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %k.012 = phi i32 [ %add, %for.body.lr.ph ], [ %4, %for.body ]
  %idxprom = sext i32 %k.012 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %add5 = fadd contract float %3, %add514
  store float %add5, ptr %arrayidx4, align 4
  %arrayidx7 = getelementptr inbounds i32, ptr %next, i64 %idxprom
  %4 = load i32, ptr %arrayidx7, align 4
  %inc = add nuw nsw i32 %j.013, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}
define ptx_kernel void @moving(ptr %y, ptr readonly %a, i32 %n, i32 %d) #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp15 = icmp sgt i32 %d, 0
  br i1 %cmp15, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  ret void
for.body:
  %k.016 = phi i32 [ %inc, %for.body ], [ 0, %entry ]
  %mul3 = mul nsw i32 %k.016, %n
  %add4 = add nsw i32 %add, %mul3
  %idxprom = sext i32 %add4 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %arrayidx8 = getelementptr inbounds float, ptr %y, i64 %idxprom
  %4 = load float, ptr %arrayidx8, align 4
  %add9 = fadd contract float %3, %4
  store float %add9, ptr %arrayidx8, align 4
  %inc = add nuw nsw i32 %k.016, 1
  %exitcond.not = icmp eq i32 %inc, %d
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" }
