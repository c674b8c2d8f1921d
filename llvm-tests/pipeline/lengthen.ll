; The original's loops run by four times as many iterations as LLVM unrolled them by, as ptxas would have it: rounds,
; then what LLVM made of the loop, then its rest. Both are left rolled by the assembler.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | %FileCheck %s
; RUN: MESI_FORCE=1 MESI_FORM=inside %opt -load-pass-plugin %mesi -passes='default<O2>,verify' -S %s | %FileCheck %s -check-prefix=END
; CHECK-LABEL: define {{.*}}@dot
; CHECK: br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop [[MARKED:![0-9]+]]
; END-LABEL: define {{.*}}@dot
; END: %unroll_iter = and i32 %n, 2147483646
; END: [[WHOLE:%[0-9]+]] = and i32 %unroll_iter, -8
; END: [[FEW:%[0-9]+]] = icmp eq i32 [[WHOLE]], 0
; END: br i1 [[FEW]], label %for.body, label %mesi.group
; END: mesi.group:
; END: phi float [ 0.000000e+00, %{{[^ ]+}} ], [ [[SUM:%[0-9]+]], %mesi.group ]
; END-COUNT-16: load float
; END-NOT: load float
; END: icmp eq i32 {{%[0-9]+}}, [[WHOLE]]
; END: br i1 {{.*}}, label %mesi.left, label %mesi.group, !llvm.loop [[LEFT:![0-9]+]]
; END: mesi.left:
; END: icmp eq i32 %unroll_iter, [[WHOLE]]
; END: br i1 {{.*}}, label %[[EXIT:[^,]+]], label %for.body
; END: for.body:
; END: phi float {{.*}}[ [[SUM]], %mesi.left ]
; END-COUNT-4: load float
; END: br i1 {{.*}}, label %[[EXIT]], label %for.body, !llvm.loop [[ASIS:![0-9]+]]
; END: [[EXIT]]:
; END: phi float {{.*}}[ [[SUM]], %mesi.left ]
; A sum of two products fuses the one with fewer uses, which iterations beside it may change: left as it is.
; END-LABEL: define {{.*}}@squares
; END-NOT: mesi.group
; A loop that carries a product into a sum is not marked, the one beside it is.
; CHECK-LABEL: define {{.*}}@both
; CHECK: br i1 %end, label %second, label %horner{{$}}
; CHECK: br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop
; CHECK: [[MARKED]] = distinct !{[[MARKED]], [[LONG:![0-9]+]]}
; CHECK: [[LONG]] = !{!"mesi.long.alone"}
; CHECK: = !{!"mesi.long"}
; END-LABEL: define {{.*}}@both
; END-COUNT-1: mesi.group:
; END-NOT: mesi.group:
; An iteration of a sum in memory waits for the one before: the loop stays as LLVM leaves it, and so for the assembler.
; END-LABEL: define {{.*}}@stored
; END-NOT: mesi.group:
; END: store float
; END: br i1 {{.*}}, label %for.body, !llvm.loop [[STORED:![0-9]+]]
; END: [[LEFT]] = distinct !{[[LEFT]], [[DISABLE:![0-9]+]]}
; END: [[DISABLE]] = !{!"llvm.loop.unroll.disable"}
; END: [[ASIS]] = distinct !{[[ASIS]], [[DISABLE]]}
; END: [[STORED]] = distinct !{[[STORED]], [[DISABLE]]}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @dot(ptr noundef readonly %a, ptr noundef readonly %x, ptr noundef writeonly %y, i32 noundef %m, i32 noundef %n) #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %m
  br i1 %cmp, label %for.cond.preheader, label %if.end
for.cond.preheader:
  %cmp319 = icmp sgt i32 %n, 0
  br i1 %cmp319, label %for.body.lr.ph, label %for.cond.cleanup
for.body.lr.ph:
  %mul4 = mul nsw i32 %n, %add
  br label %for.body
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add9, %for.body ]
  %idxprom10 = sext i32 %add to i64
  %arrayidx11 = getelementptr inbounds float, ptr %y, i64 %idxprom10
  store float %s.0.lcssa, ptr %arrayidx11, align 4
  br label %if.end
for.body:
  %k.021 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %s.020 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add9, %for.body ]
  %add5 = add nsw i32 %k.021, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %idxprom6 = zext nneg i32 %k.021 to i64
  %arrayidx7 = getelementptr inbounds nuw float, ptr %x, i64 %idxprom6
  %4 = load float, ptr %arrayidx7, align 4
  %mul8 = fmul contract float %3, %4
  %add9 = fadd contract float %s.020, %mul8
  %inc = add nuw nsw i32 %k.021, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
if.end:
  ret void
}
define ptx_kernel void @squares(ptr noundef readonly %a, float noundef %w, ptr noundef writeonly %y, i32 noundef %m, i32 noundef %n) #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %m
  br i1 %cmp, label %for.cond.preheader, label %if.end
for.cond.preheader:
  %cmp320 = icmp sgt i32 %n, 0
  br i1 %cmp320, label %for.body.lr.ph, label %for.cond.cleanup
for.body.lr.ph:
  %mul4 = mul nsw i32 %n, %add
  br label %for.body
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add9, %for.body ]
  %idxprom10 = sext i32 %add to i64
  %arrayidx11 = getelementptr inbounds float, ptr %y, i64 %idxprom10
  store float %s.0.lcssa, ptr %arrayidx11, align 4
  br label %if.end
for.body:
  %s.022 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add9, %for.body ]
  %k.021 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %add5 = add nsw i32 %k.021, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %mul6 = fmul contract float %3, %3
  %mul7 = fmul contract float %w, %3
  %add8 = fadd contract float %mul6, %mul7
  %add9 = fadd contract float %s.022, %add8
  %inc = add nuw nsw i32 %k.021, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
if.end:
  ret void
}
define ptx_kernel void @both(ptr noundef readonly %a, ptr noundef readonly %x, ptr noundef writeonly %y, i32 noundef %m, i32 noundef %n) #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %m
  br i1 %cmp, label %for.cond.preheader, label %if.end
for.cond.preheader:
  %cmp319 = icmp sgt i32 %n, 0
  br i1 %cmp319, label %for.body.lr.ph, label %for.cond.cleanup
for.body.lr.ph:
  %mul4 = mul nsw i32 %n, %add
  br label %for.body
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add9, %for.body ]
  %idxprom10 = sext i32 %add to i64
  %arrayidx11 = getelementptr inbounds float, ptr %y, i64 %idxprom10
  store float %s.0.lcssa, ptr %arrayidx11, align 4
  br i1 %cmp319, label %horner, label %if.end
horner:
  %j = phi i32 [ 0, %for.cond.cleanup ], [ %j.next, %horner ]
  %t = phi float [ 0.000000e+00, %for.cond.cleanup ], [ %product, %horner ]
  %offset = zext nneg i32 %j to i64
  %place = getelementptr inbounds nuw float, ptr %x, i64 %offset
  %v = load float, ptr %place, align 4
  %sum = fadd contract float %t, %v
  %product = fmul contract float %sum, %v
  %j.next = add nuw nsw i32 %j, 1
  %end = icmp eq i32 %j.next, %n
  br i1 %end, label %second, label %horner
second:
  store float %product, ptr %arrayidx11, align 4
  br label %if.end
for.body:
  %k.021 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %s.020 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add9, %for.body ]
  %add5 = add nsw i32 %k.021, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %idxprom6 = zext nneg i32 %k.021 to i64
  %arrayidx7 = getelementptr inbounds nuw float, ptr %x, i64 %idxprom6
  %4 = load float, ptr %arrayidx7, align 4
  %mul8 = fmul contract float %3, %4
  %add9 = fadd contract float %s.020, %mul8
  %inc = add nuw nsw i32 %k.021, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
if.end:
  ret void
}
define ptx_kernel void @stored(ptr noundef readonly %a, ptr noundef readonly %x, ptr noundef %y, i32 noundef %m, i32 noundef %n) #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp = icmp slt i32 %add, %m
  br i1 %cmp, label %for.cond.preheader, label %if.end
for.cond.preheader:
  %cmp319 = icmp sgt i32 %n, 0
  br i1 %cmp319, label %for.body.lr.ph, label %for.cond.cleanup
for.body.lr.ph:
  %mul4 = mul nsw i32 %n, %add
  %idxprom10 = sext i32 %add to i64
  %arrayidx11 = getelementptr inbounds float, ptr %y, i64 %idxprom10
  br label %for.body
for.cond.cleanup:
  br label %if.end
for.body:
  %k.021 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %add5 = add nsw i32 %k.021, %mul4
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr %a, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %idxprom6 = zext nneg i32 %k.021 to i64
  %arrayidx7 = getelementptr inbounds nuw float, ptr %x, i64 %idxprom6
  %4 = load float, ptr %arrayidx7, align 4
  %mul8 = fmul contract float %3, %4
  %old = load float, ptr %arrayidx11, align 4
  %add9 = fadd contract float %old, %mul8
  store float %add9, ptr %arrayidx11, align 4
  %inc = add nuw nsw i32 %k.021, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
if.end:
  ret void
}
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
attributes #0 = { nounwind "target-cpu"="sm_90" }
attributes #1 = { nounwind willreturn memory(none) }
