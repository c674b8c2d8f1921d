; Not a test of its own subject: the kernel that the other .ll tests of this folder name by %S/mm.ll.
; It must be valid IR, and the pass must run over it without a word on the error stream.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi,verify' -S %s -o %t.ll 2> %t.err
; RUN: test ! -s %t.err
; RUN: %FileCheck %s < %t.ll
; CHECK: define ptx_kernel void @mm(
; CHECK: !mesi.ran = !{}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

define ptx_kernel void @mm(ptr noundef readonly %a, ptr noundef readonly %b, ptr noundef writeonly %c, i32 noundef %n) #0 {
entry:
  %by = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ny = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %y0 = mul nuw nsw i32 %by, %ny
  %ty = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = add nuw nsw i32 %y0, %ty
  %bx = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %x0 = mul i32 %bx, %nx
  %tx = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %col = add i32 %x0, %tx
  %rowok = icmp slt i32 %row, %n
  %colok = icmp slt i32 %col, %n
  %ok = and i1 %rowok, %colok
  br i1 %ok, label %head, label %exit

head:
  %rowbase = mul nsw i32 %row, %n
  br label %loop

loop:
  %k = phi i32 [ 0, %head ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %head ], [ %sum.next, %loop ]
  %ai = add nsw i32 %k, %rowbase
  %ai64 = sext i32 %ai to i64
  %ap = getelementptr inbounds float, ptr %a, i64 %ai64
  %av = load float, ptr %ap, align 4
  %bm = mul nsw i32 %k, %n
  %bi = add nsw i32 %bm, %col
  %bi64 = sext i32 %bi to i64
  %bp = getelementptr inbounds float, ptr %b, i64 %bi64
  %bv = load float, ptr %bp, align 4
  %m = fmul contract float %av, %bv
  %sum.next = fadd contract float %sum, %m
  %k.next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k.next, %n
  br i1 %done, label %store, label %loop

store:
  %ci = add nsw i32 %rowbase, %col
  %ci64 = sext i32 %ci to i64
  %cp = getelementptr inbounds float, ptr %c, i64 %ci64
  store float %sum.next, ptr %cp, align 4
  br label %exit

exit:
  ret void
}

attributes #0 = { mustprogress nofree norecurse nounwind "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
