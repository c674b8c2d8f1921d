; A product and a sum without the flag `contract` that do not meet in a block of the original must not be fused in the staged
; body either: the back end asks for no flag. What meets in the original stays as it is, and so does what nothing could fuse with.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>,verify' -S %s | %FileCheck %s
; CHECK: define ptx_kernel void @apart
; CHECK: mesi.setup:
; CHECK: call float @llvm.nvvm.mul.rn.f(
; CHECK: call float @llvm.nvvm.add.rn.f(
; CHECK: fmul float
; CHECK-NEXT: fadd float
; CHECK: fadd float {{.*}}, 5.000000e-01
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @apart(ptr noalias %x, ptr noalias %y, i32 %n, float %w) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %join ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %join ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %product = fmul float %v, %w
  %some = icmp slt i32 %k, 7
  br i1 %some, label %then, label %join
then:
  %more = fadd float %sum, %product
  br label %join
join:
  %both = phi float [ %sum, %loop ], [ %more, %then ]
  %square = fmul float %v, %v
  %squares = fadd float %both, %square
  %root = call float @llvm.fabs.f32(float %squares)
  %sum.next = fadd float %root, 0.5
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fabs.f32(float)
attributes #0 = { "target-cpu"="sm_80" }
