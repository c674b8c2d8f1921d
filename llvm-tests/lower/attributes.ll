; What was true of the kernel and is not any more: it synchronises now, touches its shared memory, and
; an argument is no longer initialized on every path. Kernels that are left alone keep their promises.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;only=copy>' -S %s | %FileCheck %s
; CHECK: define ptx_kernel void @copy(ptr noalias %x, ptr noalias %y) [[STAGED:#[0-9]+]]
; CHECK: define ptx_kernel void @left(ptr noalias %x, ptr noalias initializes((0, 4)) %y) [[LEFT:#[0-9]+]]
; CHECK-DAG: attributes [[STAGED]] = { convergent nounwind "mesi.staged"="1" {{.*}}}
; CHECK-DAG: attributes [[LEFT]] = { nosync nounwind willreturn memory(argmem: readwrite) "target-cpu"="sm_80" }
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @copy(ptr noalias %x, ptr noalias initializes((0, 4)) %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %a = load float, ptr %p
  store float %a, ptr %y
  ret void
}
define ptx_kernel void @left(ptr noalias %x, ptr noalias initializes((0, 4)) %y) #0 {
  %a = load float, ptr %x
  store float %a, ptr %y
  ret void
}
attributes #0 = { nosync nounwind willreturn memory(argmem: readwrite) "target-cpu"="sm_80" }
