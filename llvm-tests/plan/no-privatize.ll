; Cells are left to the original's atomics where a result is used, sums depend on their order, a thread's number
; says which cell it is, the kernel reads the cells itself, somebody else looks (volatile), or they are for different threads to see.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-NOT: privatized:
; CHECK: plan of used
; CHECK: Atomic
; CHECK: plan of floats
; CHECK: Atomic
; CHECK: plan of anywhere
; CHECK: Atomic
; CHECK: plan of looked_at
; CHECK: Atomic
; CHECK: plan of watched
; CHECK: Atomic
; CHECK: plan of scopes
; CHECK: Atomic
; CHECK: plan of rare
; By default also where few threads may come to the atomic: the steps would cost more.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=RARE
; RARE: plan of rare
; RARE-NOT: privatized:
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @used(ptr noalias noundef %c, ptr noalias noundef %out) #0 {
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %old = atomicrmw add ptr %c, i32 1 seq_cst, align 4
  %j = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %j
  store i32 %old, ptr %p, align 4
  ret void
}
define ptx_kernel void @floats(ptr noalias noundef %c) #0 {
  %old = atomicrmw fadd ptr %c, float 1.0 seq_cst, align 4
  ret void
}
define ptx_kernel void @anywhere(ptr noalias noundef %c, ptr noalias noundef readonly %index) #0 {
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %index, i64 %j
  %v = load i32, ptr %p, align 4
  %w = add i32 %v, %t
  %k = sext i32 %w to i64
  %q = getelementptr inbounds i32, ptr %c, i64 %k
  %old = atomicrmw add ptr %q, i32 1 seq_cst, align 4
  ret void
}
define ptx_kernel void @looked_at(ptr noalias noundef %c, ptr noalias noundef %out) #0 {
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %old = atomicrmw add ptr %c, i32 1 seq_cst, align 4
  %v = load i32, ptr %c, align 4
  %j = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %out, i64 %j
  store i32 %v, ptr %p, align 4
  ret void
}
define ptx_kernel void @watched(ptr noalias noundef %c) #0 {
  %old = atomicrmw volatile add ptr %c, i32 1 monotonic, align 4
  ret void
}
define ptx_kernel void @scopes(ptr noalias noundef %c) #0 {
  %old = atomicrmw add ptr %c, i32 1 syncscope("block") monotonic, align 4
  %d = getelementptr inbounds i32, ptr %c, i64 1
  %old2 = atomicrmw add ptr %d, i32 1 monotonic, align 4
  ret void
}
define ptx_kernel void @rare(ptr noalias noundef %c, ptr noalias noundef readonly %data) #0 {
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %data, i64 %j
  %v = load i32, ptr %p, align 4
  %some = icmp sgt i32 %v, 1000
  br i1 %some, label %count, label %exit
count:
  %old = atomicrmw add ptr %c, i32 1 seq_cst, align 4
  br label %exit
exit:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
