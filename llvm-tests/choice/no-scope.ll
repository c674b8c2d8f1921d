; Updates that are one step for threads of the block alone keep their blocks: those of another block of the launch would be
; threads of the same one, and theirs of several.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of all
; CHECK: launched by the host in blocks of
; CHECK-LABEL: plan of block
; CHECK-NOT: launched by the host
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @all(ptr noalias %a, ptr noalias %c, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %d
  %i = add i32 %o, %t
  %first = mul nsw i32 %i, %n
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %at = add nsw i32 %first, %k
  %ix = sext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %ix
  %x = load i32, ptr %p
  %s1 = add i32 %s, %x
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  %sum = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %row = lshr i32 %i, 8
  %rx = zext i32 %row to i64
  %q = getelementptr inbounds i32, ptr %c, i64 %rx
  %old = atomicrmw add ptr %q, i32 %sum monotonic, align 4
  ret void
}
define ptx_kernel void @block(ptr noalias %a, ptr noalias %c, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %d
  %i = add i32 %o, %t
  %first = mul nsw i32 %i, %n
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %at = add nsw i32 %first, %k
  %ix = sext i32 %at to i64
  %p = getelementptr inbounds i32, ptr %a, i64 %ix
  %x = load i32, ptr %p
  %s1 = add i32 %s, %x
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  %sum = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %row = lshr i32 %i, 8
  %rx = zext i32 %row to i64
  %q = getelementptr inbounds i32, ptr %c, i64 %rx
  %old = atomicrmw add ptr %q, i32 %sum syncscope("block") monotonic, align 4
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
