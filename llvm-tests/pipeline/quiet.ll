; Where the first test leaves the original the short loops, and they have no body of their own, its loop stays as the
; assembler leaves it in a kernel of its own. ptxas does not unroll a loop whose latch branches out and then jumps back, which is what is written where
; the exit's block does not come next; in a kernel with two bodies it would. The loop is marked; LLVM unrolls it by its
; own rules, and in the end it is told to be left alone.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<rounds=1>' -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -mesi-rounds=1 -mesi-form=inside -passes='default<O2>' -S %s | %FileCheck %s -check-prefix=END
; CHECK-LABEL: define {{.*}}@taps
; CHECK: br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop [[MARKED:![0-9]+]]
; CHECK: mesi.gains:
; CHECK: [[MARKED]] = distinct !{[[MARKED]], [[QUIET:![0-9]+]]}
; CHECK: [[QUIET]] = !{!"mesi.quiet"}
; END-LABEL: define {{.*}}@taps
; END: for.body:
; END-COUNT-2: load float
; END: br i1 {{.*}}label %for.body, !llvm.loop [[LEFT:![0-9]+]]
; END-NOT: mesi.quiet
; END: !"llvm.loop.unroll.disable"
; END-NOT: mesi.quiet
; A body of their own runs them in the same rounds, and long ones as well: the original goes.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=PLAN
; PLAN: short: loop0: rounds of 4 iterations, the rest one by one
; PLAN-NEXT: short in place of the original
; RUN: %opt -load-pass-plugin %mesi -passes='mesi,simplifycfg' -S %s | %FileCheck %s -check-prefix=ALONE
; ALONE-LABEL: define {{.*}}@taps
; ALONE-NOT: for.body:
; ALONE: mesi.round:
; ALONE-NOT: for.body:
; ALONE: attributes #0
; Without a first test it runs long loops as well, and is faster unrolled.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | %FileCheck %s -check-prefix=ALL
; ALL-NOT: mesi.quiet
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @taps(ptr noalias noundef readonly %x, ptr noalias noundef readonly %w, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %taps) #0 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul i32 %0, %1
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %mul, %2
  %cmp.not = icmp slt i32 %add, %n
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup
for.cond.preheader:
  %cmp317 = icmp sgt i32 %taps, 0
  br i1 %cmp317, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add8, %for.body ]
  %idxprom9 = sext i32 %add to i64
  %arrayidx10 = getelementptr inbounds float, ptr %y, i64 %idxprom9
  store float %s.0.lcssa, ptr %arrayidx10, align 4
  br label %cleanup
for.body:
  %k.019 = phi i32 [ %inc, %for.body ], [ 0, %for.cond.preheader ]
  %s.018 = phi float [ %add8, %for.body ], [ 0.000000e+00, %for.cond.preheader ]
  %add4 = add nsw i32 %k.019, %add
  %idxprom = sext i32 %add4 to i64
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom
  %3 = load float, ptr %arrayidx, align 4
  %idxprom5 = zext nneg i32 %k.019 to i64
  %arrayidx6 = getelementptr inbounds nuw float, ptr %w, i64 %idxprom5
  %4 = load float, ptr %arrayidx6, align 4
  %mul7 = fmul contract float %3, %4
  %add8 = fadd contract float %s.018, %mul7
  %inc = add nuw nsw i32 %k.019, 1
  %exitcond.not = icmp eq i32 %inc, %taps
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
attributes #0 = { nounwind "target-cpu"="sm_90" }
attributes #1 = { nounwind willreturn memory(none) }
