; Two ways to leave a kernel alone, by annotation and by asking for another one; both are said, and
; the kernels stay as they are. Named alone, by its symbol, a kernel is staged.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;only=said>' -pass-remarks=mesi -pass-remarks-missed=mesi -S %s -o %t.ll 2>&1 | %FileCheck %s
; CHECK: not staged: kernel free: only 'said' was asked for (Disabled)
; CHECK: not staged: kernel said: annotate("mesi.off") (Disabled)
; CHECK-NOT: staged 'x'
; RUN: %FileCheck %s -check-prefix=SAME < %t.ll
; SAME-NOT: addrspace(3)
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;only=free>' -pass-remarks=mesi -disable-output %s 2>&1 | %FileCheck %s -check-prefix=TWIN
; TWIN: staged 'x' in free
target triple = "nvptx64-nvidia-cuda"
@text = private unnamed_addr constant [9 x i8] c"mesi.off\00", section "llvm.metadata"
@file = private unnamed_addr constant [5 x i8] c"k.cu\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @said, ptr @text, ptr @file, i32 1, ptr null }], section "llvm.metadata"
define ptx_kernel void @free(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %a = load float, ptr %p
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %b = load float, ptr %q
  %s = fadd float %a, %b
  %r = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %r
  ret void
}
define ptx_kernel void @said(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %a = load float, ptr %p
  %r = getelementptr inbounds float, ptr %y, i64 %i
  store float %a, ptr %r
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
