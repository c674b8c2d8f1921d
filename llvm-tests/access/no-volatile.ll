; Each volatile read must happen where it stands; a load with atomic ordering likewise. One such
; access keeps the whole array.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of volatile
; CHECK-NOT: tile
; CHECK: array0 x not staged: Volatile (access1 is volatile or atomic)
; CHECK-LABEL: plan of ordered
; CHECK-NOT: tile
; CHECK: array0 x not staged: Volatile (access0 is volatile or atomic)
; CHECK-LABEL: plan of plain
; CHECK: tile0: array0 x
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @volatile(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %p
  %w = load volatile i32, ptr %p
  %s = add i32 %v, %w
  %q = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %s, ptr %q
  ret void
}
define ptx_kernel void @ordered(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load atomic i32, ptr %p monotonic, align 4
  %q = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %v, ptr %q
  ret void
}
define ptx_kernel void @plain(ptr noalias %x, ptr noalias %y) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %p
  %q = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %v, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
