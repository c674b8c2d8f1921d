; A loop that control never comes to, and nobody enters, with a lock in it: it is looked at once, and the kernel left alone.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of lonely
; CHECK-NEXT: not staged: Waits
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @lonely(ptr noalias %a, ptr noalias %lock) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.0, ptr %p
  ret void
never:
  %n = phi i32 [ 0, %again ], [ %old, %never ]
  %old = atomicrmw add ptr %lock, i32 1 monotonic, align 4
  %more = icmp slt i32 %old, 9
  br i1 %more, label %never, label %again
again:
  %pair = cmpxchg ptr %lock, i32 %n, i32 1 monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br label %never
}
attributes #0 = { "target-cpu"="sm_80" }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
