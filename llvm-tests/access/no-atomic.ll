; Bins that other threads and blocks count up must be read from where they are; the data that is
; counted can be staged all the same.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of histogram
; CHECK-NOT: tile{{.*}}bins
; CHECK: tile0: array0 data
; CHECK-NOT: tile{{.*}}bins
; CHECK: array1 bins not staged: Atomic (access1 updates it atomically)
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @histogram(ptr noalias %data, ptr noalias %bins) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds i8, ptr %data, i64 %i
  %v = load i8, ptr %p
  %bin = zext i8 %v to i64
  %q = getelementptr inbounds i32, ptr %bins, i64 %bin
  %old = atomicrmw add ptr %q, i32 1 monotonic
  %r = getelementptr inbounds i32, ptr %bins, i64 %i
  %now = load i32, ptr %r
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
