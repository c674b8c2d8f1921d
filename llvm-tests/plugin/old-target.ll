; Before sm_70 nothing is done, and one line says so for all kernels of the module together.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s -o %t.ll 2> %t.err
; RUN: %FileCheck %s -check-prefix=WARNING < %t.err && test $(wc -l < %t.err) = 1
; WARNING: warning: mesi: sm_60 is older than sm_70: nothing is staged
; RUN: %FileCheck %s < %t.ll
; CHECK-NOT: addrspace(3)
; CHECK: define ptx_kernel void @one
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @one(ptr %p) #0 {
  store float 1.0, ptr %p
  ret void
}
define ptx_kernel void @two(ptr %p) #0 {
  store float 2.0, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_60" }
