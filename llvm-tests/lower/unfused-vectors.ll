; A product and a sum of pairs that do not meet in a block of the original are pinned element by element.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>,verify' -S %s | %FileCheck %s
; CHECK: define ptx_kernel void @apart
; CHECK: mesi.setup:
; CHECK-COUNT-2: call float @llvm.nvvm.mul.rn.f(
; CHECK-COUNT-2: call float @llvm.nvvm.add.rn.f(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @apart(ptr noalias %x, ptr noalias %y, i32 %n, <2 x float> %w) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %join ]
  %sum = phi <2 x float> [ zeroinitializer, %entry ], [ %both, %join ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %one = insertelement <2 x float> poison, float %v, i32 0
  %two = insertelement <2 x float> %one, float %v, i32 1
  %product = fmul contract <2 x float> %two, %w
  %some = icmp slt i32 %k, 7
  br i1 %some, label %then, label %join
then:
  %more = fadd contract <2 x float> %sum, %product
  br label %join
join:
  %both = phi <2 x float> [ %sum, %loop ], [ %more, %then ]
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds <2 x float>, ptr %y, i64 %t64
  store <2 x float> %both, ptr %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_80" }
