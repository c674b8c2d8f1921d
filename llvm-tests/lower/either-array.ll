; An array is staged, and an access stays that may be to it or to another: it is of no array, so it was not to
; move, and the check after lowering has nothing against it.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -pass-remarks=mesi -pass-remarks-missed=mesi -S %s -o %t.ll 2> %t.err
; RUN: %FileCheck %s < %t.err
; CHECK-NOT: dropped
; CHECK: staged 'x' in reads
; CHECK-NOT: {{dropped|CheckFailed}}
; RUN: %FileCheck %s -check-prefix=IR < %t.ll
; IR-LABEL: define ptx_kernel void @reads
; IR: !mesi.dispatch
; IR: [[FROM:%.*]] = select i1 %c, ptr %x, ptr %z
; IR: [[AT:%.*]] = getelementptr inbounds float, ptr [[FROM]]
; IR: load float, ptr [[AT]]
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @reads(ptr noalias %x, ptr noalias %z, ptr noalias %y, i1 %c) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %either = select i1 %c, ptr %x, ptr %z
  %e = getelementptr inbounds float, ptr %either, i64 %i
  %w = load float, ptr %e
  %sum = fadd float %v, %w
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %sum, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
