; Rows of small elements begin at whole words where the model is sure of a launch, as they are copied one by one elsewhere. A version serves others, too:
; what it gains is measured.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;launch=64x64:16x16:_:_:_:1024:1024:1024+64x64:16x16:_:_:_:1023:1023:1023>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of halves
; CHECK: merge 4x4x1 blocks
; CHECK: pays: 2*s0 is a multiple of 4{{$}}
; CHECK-NEXT: pays: 2*s1 is a multiple of 4{{$}}
; CHECK: else version 1
; CHECK: launch 64x64x1:16x16x1:_:_:_:1024:1024:1024: version 0
; CHECK: launch 64x64x1:16x16x1:_:_:_:1023:1023:1023: original
; The lowest bits tell.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi,verify' -S %s | %FileCheck %s --check-prefix=ENTRY
; ENTRY-LABEL: @halves
; ENTRY: [[REST:%[0-9a-z.]+]] = and i32 {{.*}}, 3
; ENTRY-NEXT: icmp eq i32 [[REST]], 0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @halves(ptr readonly %A, ptr readonly %B, ptr writeonly %C, i32 %m, i32 %n, i32 %k) #0 {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %mul = mul nuw nsw i32 %0, %1
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %add = add nuw nsw i32 %mul, %2
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul5 = mul i32 %3, %4
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add7 = add i32 %mul5, %5
  %cmp = icmp slt i32 %add, %m
  %cmp8 = icmp slt i32 %add7, %n
  %or.cond = and i1 %cmp, %cmp8
  br i1 %or.cond, label %for.cond.preheader, label %if.end

for.cond.preheader:
  %cmp912 = icmp sgt i32 %k, 0
  br i1 %cmp912, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %mul10 = mul nuw nsw i32 %k, %add
  br label %for.body

for.cond.cleanup:
  %sum.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add18, %for.body ]
  %mul19 = mul nsw i32 %n, %add
  %add20 = add nsw i32 %mul19, %add7
  %idxprom21 = sext i32 %add20 to i64
  %arrayidx22 = getelementptr inbounds float, ptr %C, i64 %idxprom21
  store float %sum.0.lcssa, ptr %arrayidx22, align 4
  br label %if.end

for.body:
  %i.014 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %sum.013 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add18, %for.body ]
  %add11 = add nuw nsw i32 %i.014, %mul10
  %idxprom = zext nneg i32 %add11 to i64
  %arrayidx = getelementptr inbounds nuw half, ptr %A, i64 %idxprom
  %6 = load half, ptr %arrayidx, align 2
  %conv = fpext contract half %6 to float
  %mul12 = mul nsw i32 %i.014, %n
  %add13 = add nsw i32 %mul12, %add7
  %idxprom14 = sext i32 %add13 to i64
  %arrayidx15 = getelementptr inbounds half, ptr %B, i64 %idxprom14
  %7 = load half, ptr %arrayidx15, align 2
  %conv16 = fpext contract half %7 to float
  %mul17 = fmul contract float %conv, %conv16
  %add18 = fadd contract float %sum.013, %mul17
  %inc = add nuw nsw i32 %i.014, 1
  %exitcond.not = icmp eq i32 %inc, %k
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
