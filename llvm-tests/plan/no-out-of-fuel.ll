; With fuel for one array, the first in program order is staged; with none, none is. The reason says
; that the option stopped it.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;fuel=1>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: tile0: array0 x
; CHECK-NOT: tile1
; CHECK: array1 z not staged: OutOfFuel (the fuel option stops before it)
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;fuel=0>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=NONE
; NONE-NOT: tile
; NONE: array0 x not staged: OutOfFuel
; NONE: array1 z not staged: OutOfFuel
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;fuel=2>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=TWIN
; TWIN: tile0: array0 x
; TWIN: tile1: array1 z
; Over a module the pass counts what it has staged: the second kernel gets what the first left.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;fuel=3>' -pass-remarks=mesi -pass-remarks-missed=mesi -disable-output %s 2>&1 | %FileCheck %s -check-prefix=MODULE
; MODULE: staged 'x' in windows
; MODULE: staged 'z' in windows
; MODULE: staged 'x' in again
; MODULE: not staged: 'z' in again: the fuel option stops before it (OutOfFuel)
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @windows(ptr noalias %x, ptr noalias %z, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %xp0 = getelementptr inbounds float, ptr %x, i64 %i
  %xq0 = getelementptr inbounds i8, ptr %xp0, i64 0
  %x0 = load float, ptr %xq0
  %xp1 = getelementptr inbounds float, ptr %x, i64 %i
  %xq1 = getelementptr inbounds i8, ptr %xp1, i64 4
  %x1 = load float, ptr %xq1
  %zp0 = getelementptr inbounds float, ptr %z, i64 %i
  %zq0 = getelementptr inbounds i8, ptr %zp0, i64 0
  %z0 = load float, ptr %zq0
  %zp1 = getelementptr inbounds float, ptr %z, i64 %i
  %zq1 = getelementptr inbounds i8, ptr %zp1, i64 4
  %z1 = load float, ptr %zq1
  %zp2 = getelementptr inbounds float, ptr %z, i64 %i
  %zq2 = getelementptr inbounds i8, ptr %zp2, i64 8
  %z2 = load float, ptr %zq2
  %zp3 = getelementptr inbounds float, ptr %z, i64 %i
  %zq3 = getelementptr inbounds i8, ptr %zp3, i64 12
  %z3 = load float, ptr %zq3
  %s1 = fadd float %x0, %x1
  %s2 = fadd float %z0, %z1
  %s3 = fadd float %z2, %z3
  %s4 = fadd float %s1, %s2
  %s = fadd float %s4, %s3
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
define ptx_kernel void @again(ptr noalias %x, ptr noalias %z, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %xp0 = getelementptr inbounds float, ptr %x, i64 %i
  %xq0 = getelementptr inbounds i8, ptr %xp0, i64 0
  %x0 = load float, ptr %xq0
  %xp1 = getelementptr inbounds float, ptr %x, i64 %i
  %xq1 = getelementptr inbounds i8, ptr %xp1, i64 4
  %x1 = load float, ptr %xq1
  %zp0 = getelementptr inbounds float, ptr %z, i64 %i
  %zq0 = getelementptr inbounds i8, ptr %zp0, i64 0
  %z0 = load float, ptr %zq0
  %zp1 = getelementptr inbounds float, ptr %z, i64 %i
  %zq1 = getelementptr inbounds i8, ptr %zp1, i64 4
  %z1 = load float, ptr %zq1
  %zp2 = getelementptr inbounds float, ptr %z, i64 %i
  %zq2 = getelementptr inbounds i8, ptr %zp2, i64 8
  %z2 = load float, ptr %zq2
  %zp3 = getelementptr inbounds float, ptr %z, i64 %i
  %zq3 = getelementptr inbounds i8, ptr %zp3, i64 12
  %z3 = load float, ptr %zq3
  %s1 = fadd float %x0, %x1
  %s2 = fadd float %z0, %z1
  %s3 = fadd float %z2, %z3
  %s4 = fadd float %s1, %s2
  %s = fadd float %s4, %s3
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
