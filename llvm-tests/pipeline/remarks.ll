; Every array of a kernel ends in one remark, staged with figures or not with one reason; an access that
; belongs to no array is named by a question mark. Staging one array does not hide the others.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -pass-remarks=mesi -pass-remarks-missed=mesi -disable-output %s 2>&1 | %FileCheck %s
; CHECK: remark: <unknown>:0:0: staged 'x' in all: 4112 bytes of shared memory in the kernel, 1 barriers
; CHECK-NEXT: remark: <unknown>:0:0: not staged: 'index' in all: {{.*}} (Volatile)
; CHECK-NEXT: remark: <unknown>:0:0: not staged: 'y' in all: it is only written, and staging would not help (OnlyStored)
; CHECK-NEXT: remark: <unknown>:0:0: not staged: '?' in all: {{.*}} (UnknownBase)
; CHECK-NOT: remark
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @all(ptr noalias %x, ptr noalias %index, ptr noalias %y, ptr noalias %a, ptr noalias %b) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %u = load float, ptr %p
  %p1 = getelementptr inbounds i8, ptr %p, i64 4
  %v = load float, ptr %p1
  %s = fadd float %u, %v
  %c = load volatile i1, ptr %index
  %ab = select i1 %c, ptr %a, ptr %b
  %w = load float, ptr %ab
  %s2 = fadd float %s, %w
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s2, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
