; The limits of a kernel: threads from its launch bounds (their product, or the architecture's 1024),
; bytes of the shared memory its own code reaches, rounded up to 16 each, and the block cap.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-kernel>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: kernel free
; CHECK-NEXT: sm_80, at most 1024 threads a block
; CHECK-NEXT: block cap default
; CHECK-NEXT: own shared memory 0 bytes
; CHECK-LABEL: kernel bounded
; CHECK-NEXT: sm_90, at most 128 threads a block
; CHECK-LABEL: kernel shares
; 100 floats and one double: 400 + 16.
; CHECK: own shared memory 416 bytes{{$}}
; CHECK-LABEL: kernel dynamic
; CHECK: own shared memory 0 bytes, and dynamic
target triple = "nvptx64-nvidia-cuda"
@hundred = internal addrspace(3) global [100 x float] undef, align 4
@one = internal addrspace(3) global double undef, align 8
@other = internal addrspace(3) global [500 x float] undef, align 4
@extern = external addrspace(3) global [0 x float], align 4
define ptx_kernel void @free(ptr %p) #0 {
  ret void
}
define ptx_kernel void @bounded(ptr %p) #1 {
  ret void
}
define ptx_kernel void @shares(ptr %p) #0 {
  store float 1.0, ptr addrspacecast (ptr addrspace(3) @hundred to ptr)
  store double 1.0, ptr addrspace(3) @one
  ret void
}
define ptx_kernel void @dynamic(ptr %p) #0 {
  store float 1.0, ptr addrspace(3) @extern
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
attributes #1 = { "target-cpu"="sm_90" "nvvm.maxntid"="32,4" }
