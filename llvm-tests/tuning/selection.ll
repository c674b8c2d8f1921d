; Each element of `x` is read twice, of `z` four times. Where only one tile fits, it is that of `z`,
; whose accesses per element are more, although `x` comes first; and the other one is told why. Where
; both fit, both are staged. Fuel counts arrays in program order instead: it is for bisecting.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;block=1024;shared=6000>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=ONE
; ONE: tile0: array1 z, unit 4, 1027 cells at byte 0
; ONE-NOT: tile1
; ONE: shared: 4112 bytes
; ONE: array0 x not staged: OverBudget
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;block=1024;shared=8224>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=BOTH
; BOTH: tile0: array0 x, unit 4, 1025 cells at byte 0
; BOTH: tile1: array1 z, unit 4, 1027 cells at byte 4112
; BOTH: shared: 8224 bytes
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
attributes #0 = { "target-cpu"="sm_80" }
