; A cycle entered at two places has no header that could be a loop's: nothing is looked at.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -pass-remarks=mesi -pass-remarks-missed=mesi -disable-output %s 2>&1 | %FileCheck %s
; CHECK: not staged: kernel twice: the control flow has a cycle with several entries (Irreducible)
; CHECK-NOT: remark
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=PRINT
; PRINT: plan of twice: irreducible
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @twice(ptr noalias %x, ptr noalias %y, i1 %a, i1 %b) #0 {
entry:
  br i1 %a, label %one, label %two
one:
  %v = load float, ptr %x
  store float %v, ptr %y
  br i1 %b, label %two, label %end
two:
  br label %one
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
