; Which blocks lead where blocks are merged: the grid's first, where facts tell of global ids alone, so that they are
; tested for the whole grid; and the number of blocks fits 32 bits.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;only=product>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: merge 4x4x1 blocks{{.*}}, the grid's first lead{{$}}
; CHECK: fact: 0 <= nctaid.x*nctaid.y <= 2147483647
; CHECK: merge 2x4x1 blocks{{.*}}, the grid's first lead{{$}}
; CHECK: merge 1x2x1 blocks{{.*}}, the grid's first lead{{$}}
; CHECK-NOT: fact: 0 <= nctaid
; A row of a block's own rows is a fact about each block: groups are led by one of their own.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;only=apart;merge=2x4>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=APART
; APART: merge 2x4x1 blocks, consecutive along x, replicas apart{{$}}
; APART-NOT: the grid's first
; APART: fact: 0 <= tid.y*s0 + iter(loop0) <= 4294967295
; Nor does it where blocks are merged along x alone, which may be many and light.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;only=product;merge=4x1>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=LINE
; LINE: merge 4x1x1 blocks, consecutive along x{{$}}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @product(ptr noalias noundef readonly captures(none) %a, ptr noalias noundef readonly captures(none) %b, ptr noalias noundef writeonly captures(none) %c, i32 noundef %n) #0 {
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
  %cmp.not = icmp slt i32 %add7, %n
  %cmp8.not = icmp slt i32 %add, %n
  %or.cond = and i1 %cmp.not, %cmp8.not
  br i1 %or.cond, label %for.body.lr.ph, label %cleanup
for.body.lr.ph:
  %mul10 = mul nsw i32 %n, %add7
  br label %for.body
for.cond.cleanup:
  %add19 = add nsw i32 %mul10, %add
  %idxprom20 = sext i32 %add19 to i64
  %arrayidx21 = getelementptr inbounds float, ptr %c, i64 %idxprom20
  store float %add17, ptr %arrayidx21, align 4
  br label %cleanup
for.body:
  %i.038 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %sum.037 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add17, %for.body ]
  %add11 = add nuw nsw i32 %i.038, %mul10
  %idxprom = zext nneg i32 %add11 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %a, i64 %idxprom
  %6 = load float, ptr %arrayidx, align 4
  %mul12 = mul nuw nsw i32 %i.038, %n
  %add13 = add nsw i32 %mul12, %add
  %idxprom14 = sext i32 %add13 to i64
  %arrayidx15 = getelementptr inbounds float, ptr %b, i64 %idxprom14
  %7 = load float, ptr %arrayidx15, align 4
  %mul16 = fmul contract float %6, %7
  %add17 = fadd contract float %sum.037, %mul16
  %inc = add nuw nsw i32 %i.038, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
define ptx_kernel void @apart(ptr noalias noundef readonly captures(none) %a, ptr noalias noundef readonly captures(none) %b, ptr noalias noundef writeonly captures(none) %c, i32 noundef %n) #0 {
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
  %cmp.not = icmp ult i32 %add7, %n
  %cmp8.not = icmp slt i32 %add, %n
  %or.cond = and i1 %cmp.not, %cmp8.not
  br i1 %or.cond, label %if.end, label %cleanup
if.end:
  %conv = zext nneg i32 %mul5 to i64
  %conv9 = sext i32 %n to i64
  %mul10 = mul nsw i64 %conv9, %conv
  %add.ptr = getelementptr inbounds nuw float, ptr %a, i64 %mul10
  %cmp1147 = icmp sgt i32 %n, 0
  %mul13 = mul i32 %n, %5
  br i1 %cmp1147, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %sum.0.lcssa = phi float [ 0.000000e+00, %if.end ], [ %add20, %for.body ]
  %conv26 = zext i32 %mul13 to i64
  %conv28 = sext i32 %add to i64
  %6 = getelementptr float, ptr %c, i64 %mul10
  %7 = getelementptr float, ptr %6, i64 %conv26
  %arrayidx30 = getelementptr float, ptr %7, i64 %conv28
  store float %sum.0.lcssa, ptr %arrayidx30, align 4
  br label %cleanup
for.body:
  %i.049 = phi i32 [ %inc, %for.body ], [ 0, %if.end ]
  %sum.048 = phi float [ %add20, %for.body ], [ 0.000000e+00, %if.end ]
  %add14 = add i32 %i.049, %mul13
  %idxprom = zext i32 %add14 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %add.ptr, i64 %idxprom
  %8 = load float, ptr %arrayidx, align 4
  %mul15 = mul nuw nsw i32 %i.049, %n
  %add16 = add nsw i32 %mul15, %add
  %idxprom17 = sext i32 %add16 to i64
  %arrayidx18 = getelementptr inbounds float, ptr %b, i64 %idxprom17
  %9 = load float, ptr %arrayidx18, align 4
  %mul19 = fmul contract float %8, %9
  %add20 = fadd contract float %sum.048, %mul19
  %inc = add nuw nsw i32 %i.049, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
cleanup:
  ret void
}
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
attributes #0 = { convergent mustprogress norecurse nounwind "target-cpu"="sm_90" }
