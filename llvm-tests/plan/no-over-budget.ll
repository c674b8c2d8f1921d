; Records of 256 bytes of which the first and last field are read: 64 KiB for 256 threads, the smallest
; cap tried by default. The second kernel has a variable of its own, for which 16 bytes are taken off
; what is left. Told that blocks are of 64 threads, the records fit.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of wide
; CHECK-NOT: tile{{[0-9]}}
; CHECK: array0 x not staged: OverBudget (the tile needs 65536 bytes of shared memory and 49152 are left)
; CHECK-LABEL: plan of shares
; CHECK: array0 x not staged: OverBudget (the tile needs 65536 bytes of shared memory and 49136 are left)
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;block=64>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=TWIN
; More than a number of bytes has room for.
; CHECK-LABEL: plan of far
; CHECK: array0 x not staged: OverBudget (the tile needs 4 GiB of shared memory or more, and 49152 bytes are left)
; TWIN-LABEL: plan of wide
; TWIN: tile0: array0 x, unit 8, 2048 cells
target triple = "nvptx64-nvidia-cuda"
@own = internal addrspace(3) global float undef, align 4
define ptx_kernel void @wide(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds [32 x double], ptr %x, i64 %i
  %u = load double, ptr %p
  %p31 = getelementptr inbounds i8, ptr %p, i64 248
  %v = load double, ptr %p31
  %d = fadd double %u, %v
  %s = fptrunc double %d to float
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
define ptx_kernel void @shares(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  store float 1.0, ptr addrspace(3) @own
  %p = getelementptr inbounds [32 x double], ptr %x, i64 %i
  %u = load double, ptr %p
  %p31 = getelementptr inbounds i8, ptr %p, i64 248
  %v = load double, ptr %p31
  %d = fadd double %u, %v
  %s = fptrunc double %d to float
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
define ptx_kernel void @far(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds [16777216 x double], ptr %x, i64 %i
  %u = load double, ptr %p
  %p31 = getelementptr inbounds i8, ptr %p, i64 134217720
  %v = load double, ptr %p31
  %d = fadd double %u, %v
  %s = fptrunc double %d to float
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
