; A pointer bumped round a loop is its start plus the stride times the iteration's number.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-affine>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: affine of walks
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: s1 = i64 pitch
; CHECK-NEXT: fact0: -2147483648 <= s1 <= 2147483647
; CHECK-NEXT: loop0: trip ceil((s0) / (1)), at least 1
; CHECK-NEXT: access0: array0 + 4*tid.x + 4*iter(loop0)*s1 if fact0
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @walks(ptr %x, i32 %n, i64 %pitch) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %start = getelementptr inbounds float, ptr %x, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = phi ptr [ %start, %entry ], [ %p.next, %loop ]
  %v = load float, ptr %p
  %p.next = getelementptr inbounds float, ptr %p, i64 %pitch
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
