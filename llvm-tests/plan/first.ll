; What the entry tests before all facts, where all versions ask for it: a product without a version for small grids
; asks for the least number of blocks that have the threads of which one of its versions makes use.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of product
; CHECK: merge 4x4x1 blocks
; CHECK: first: 542 <= nctaid.x*nctaid.y <= {{[0-9]+}}{{$}}
; CHECK: fact: 6488064 <= ntid.x*ntid.y*nctaid.x*nctaid.y + 768*nctaid.x*nctaid.y
; CHECK: else version
; CHECK-NOT: first:
; CHECK: fact: 970944 <= ntid.x*ntid.y*nctaid.x*nctaid.y + 768*nctaid.x*nctaid.y
; Windows along rows have one version, and a length from which they gain; what its grid must be is a fact, as ids
; are bounded by it.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;only=weighted>' -disable-output %S/slides.ll 2>&1 | %FileCheck %s --check-prefix=ROW
; ROW: first: 16 <= trip(loop0) <= {{[0-9]+}}{{$}}
; A version that serves every grid leaves nothing to ask first: a product's last one.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s --check-prefix=ANY
; ANY: merge 4x4x1 blocks
; ANY-NOT: first:
; ANY: merge 1x2x1 blocks
; Nor is anything asked where a merge is: then no grid is too small.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;merge=2x2>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=ASKED
; ASKED: merge 2x2x1 blocks
; ASKED-NOT: first:
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@weights = addrspace(1) externally_initialized global [48 x [48 x float]] zeroinitializer, align 4
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @weights to ptr)], section "llvm.metadata"
define ptx_kernel void @product(ptr noundef readonly %a, ptr noundef writeonly %c, i32 noundef %rows) #0 {
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
  %cmp = icmp slt i32 %add7, %rows
  %cmp8 = icmp slt i32 %add, 48
  %or.cond = and i1 %cmp8, %cmp
  br i1 %or.cond, label %for.cond.preheader, label %if.end
for.cond.preheader:
  %mul10 = mul nuw nsw i32 %add7, 48
  %idxprom14 = sext i32 %add to i64
  %invariant.gep = getelementptr float, ptr addrspacecast (ptr addrspace(1) @weights to ptr), i64 %idxprom14
  br label %for.body
for.cond.cleanup:
  %add19 = add nsw i32 %mul10, %add
  %idxprom20 = sext i32 %add19 to i64
  %arrayidx21 = getelementptr inbounds float, ptr %c, i64 %idxprom20
  store float %add17, ptr %arrayidx21, align 4
  br label %if.end
for.body:
  %k.031 = phi i32 [ 0, %for.cond.preheader ], [ %inc, %for.body ]
  %sum.030 = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add17, %for.body ]
  %add11 = add nuw nsw i32 %k.031, %mul10
  %idxprom = zext nneg i32 %add11 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr %a, i64 %idxprom
  %6 = load float, ptr %arrayidx, align 4
  %idxprom12 = zext nneg i32 %k.031 to i64
  %gep = getelementptr [48 x float], ptr %invariant.gep, i64 %idxprom12
  %7 = load float, ptr %gep, align 4
  %mul16 = fmul contract float %6, %7
  %add17 = fadd contract float %sum.030, %mul16
  %inc = add nuw nsw i32 %k.031, 1
  %exitcond.not = icmp eq i32 %inc, 48
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
if.end:
  ret void
}
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1
attributes #0 = { nounwind "target-cpu"="sm_90" }
attributes #1 = { nounwind willreturn memory(none) }
