; Loads in control flow that is not nested ifs and loops: no place in it is known to be reached by
; the whole block. The twin differs in one edge.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of shared
; CHECK-NOT: tile
; CHECK: array0 x not staged: Unstructured (access0 is in control flow that is not nested ifs and loops)
; CHECK-LABEL: plan of switched
; CHECK-NOT: tile
; CHECK: array0 x not staged: Unstructured
; CHECK-LABEL: plan of nested
; CHECK: tile0: array0 x
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @shared(ptr noalias %x, ptr noalias %y, i1 %a, i1 %b) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %q = getelementptr inbounds float, ptr %y, i64 %i
  br i1 %a, label %left, label %both
left:
  br i1 %b, label %both, label %end
both:
  %v = load float, ptr %p
  store float %v, ptr %q
  br label %end
end:
  ret void
}
define ptx_kernel void @switched(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %q = getelementptr inbounds float, ptr %y, i64 %i
  switch i32 %n, label %end [ i32 1, label %one
                              i32 2, label %two ]
one:
  %v = load float, ptr %p
  store float %v, ptr %q
  br label %end
two:
  store float 2.0, ptr %q
  br label %end
end:
  ret void
}
define ptx_kernel void @nested(ptr noalias %x, ptr noalias %y, i1 %a, i1 %b) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %q = getelementptr inbounds float, ptr %y, i64 %i
  br i1 %a, label %left, label %end
left:
  br i1 %b, label %both, label %end
both:
  %v = load float, ptr %p
  store float %v, ptr %q
  br label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
