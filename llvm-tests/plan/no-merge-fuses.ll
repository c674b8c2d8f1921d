; A loop that carries a product into a sum is not emitted again: unrolling decides whether the two are fused.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;shared=0;merge=2>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of carried
; CHECK-NEXT: no merge: a loop carries a product into a sum
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @carried(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %both = fadd contract float %sum, %v
  %sum.next = fmul contract float %both, 0x3FE0000000000000
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
