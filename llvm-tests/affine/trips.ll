; Trip counts: `k < n` tested after and before the body, counting down, in steps, `k != n` with the
; fact that it will be met, a bound that depends on the thread, a bound read from memory.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-affine>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: affine of after
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: loop0: trip ceil((s0) / (1)), at least 1
; CHECK-LABEL: affine of before
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: loop0: trip ceil((s0) / (1)), at least 0
; CHECK-LABEL: affine of down
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: loop0: trip ceil((s0) / (1)), at least 1
; CHECK-LABEL: affine of steps
; CHECK-NEXT: s0 = i32 s
; CHECK-NEXT: s1 = i32 n
; CHECK-NEXT: fact0: -2147483648 <= iter(loop0)*s0 <= 2147483647
; CHECK-NEXT: fact1: 0 <= s0 - 1 <= 2147483647
; CHECK-NEXT: loop0: trip ceil((s1) / (s0)), at least 1 if fact0, fact1
; CHECK-LABEL: affine of unequal
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: fact0: 0 <= s0 - 1 <= 2147483647
; CHECK-NEXT: loop0: trip ceil((s0) / (1)), at least 1 if fact0
; CHECK-LABEL: affine of triangle
; CHECK-NEXT: loop0: no trip count (Divergent)
; CHECK-LABEL: affine of read
; CHECK-NEXT: loop0: no trip count (Unknown)
; CHECK-NEXT: access0: array0 + 0
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @after(i32 %n) #0 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
define ptx_kernel void @before(i32 %n) #0 {
entry:
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %body ]
  %again = icmp slt i32 %k, %n
  br i1 %again, label %body, label %end
body:
  %next = add nuw nsw i32 %k, 1
  br label %head
end:
  ret void
}
define ptx_kernel void @down(i32 %n) #0 {
entry:
  br label %loop
loop:
  %k = phi i32 [ %n, %entry ], [ %next, %loop ]
  %next = add nsw i32 %k, -1
  %again = icmp sgt i32 %k, 1
  br i1 %again, label %loop, label %end
end:
  ret void
}
define ptx_kernel void @steps(i32 %n, i32 %s) #0 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nsw i32 %k, %s
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
define ptx_kernel void @unequal(i32 %n) #0 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
define ptx_kernel void @triangle(i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k, %t
  br i1 %again, label %loop, label %end
end:
  ret void
}
define ptx_kernel void @read(ptr %x) #0 {
entry:
  %n = load i32, ptr %x
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
