; The kernel's own shared memory, stack and parameters are neither candidates nor hazards: one
; access is left here.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-accesses>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: accesses of own
; CHECK-NEXT: array0: p Argument { index: 0, noalias: false }
; CHECK-NEXT: access0: Load 4 bytes of array0, align 4 in bb0
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @own(ptr %p, ptr byval(i64) align 8 %n) #0 {
entry:
  %local = alloca [4 x float], align 4
  %v = load float, ptr %p, align 4
  store float %v, ptr %local, align 4
  store float %v, ptr addrspacecast (ptr addrspace(3) @tile to ptr), align 4
  %u = load float, ptr addrspace(3) @tile, align 4
  %k = load i64, ptr %n, align 8
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
