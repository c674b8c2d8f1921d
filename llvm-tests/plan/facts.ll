; What no flag proves is tested at entry, for this block's threads and all iterations, once each: that
; the index fits 32 bits although `ctaid.x*ntid.x + tid.x` carries no flag, that an unsigned one does not
; wrap below 0, that a loop left at `k != n` gets there, that a 64-bit argument can be multiplied safely,
; and that the block is within the pitch.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of signed
; CHECK-DAG: fact: -2147483648 <= tid.x + ctaid.x*ntid.x <= 2147483647{{$}}
; CHECK-DAG: fact: {{.*}} <= ntid.x <= 1024
; CHECK-LABEL: plan of unsigned
; CHECK-DAG: fact: 0 <= tid.x + s0 - 1 <= 4294967295{{$}}
; CHECK-LABEL: plan of loop
; CHECK-DAG: fact: 0 <= s0 - 1 <= 2147483647
; CHECK-LABEL: plan of wide
; CHECK-DAG: fact: -2147483648 <= s0 <= 2147483647{{$}}
; Nothing is tested that the flags say.
; CHECK-LABEL: plan of flagged
; CHECK: fact: {{.*}} <= ntid.x <= 1024
; CHECK-NOT: fact
; CHECK: shared
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @signed(ptr noalias %x, ptr noalias %y) #0 {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %d
  %i = add i32 %m, %t
  %w = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %w
  %v = load float, ptr %p
  store float %v, ptr %y
  ret void
}
define ptx_kernel void @unsigned(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %t, %n
  %less = add i32 %i, -1
  %w = zext i32 %less to i64
  %p = getelementptr inbounds float, ptr %x, i64 %w
  %v = load float, ptr %p
  store float %v, ptr %y
  ret void
}
define ptx_kernel void @loop(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  store float %v, ptr %y
  ret void
}
define ptx_kernel void @wide(ptr noalias %x, ptr noalias %y, i64 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext nneg i32 %t to i64
  %i = mul i64 %t64, %n
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  store float %v, ptr %y
  ret void
}
define ptx_kernel void @flagged(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add nsw i32 %t, %n
  %w = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %w
  %v = load float, ptr %p
  store float %v, ptr %y
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
