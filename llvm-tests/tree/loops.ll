; A loop tested after its body, one tested before it (as at -Oz, which does not rotate), and one in
; another; what a header tested before the body computes runs once more than the body.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-tree>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: tree of after
; CHECK-NEXT: seq
; CHECK-NEXT: block bb0
; CHECK-NEXT: edge bb0 -> bb1
; CHECK-NEXT: loop0 {{.*}}header bb1 latch bb1 exit bb1 -> bb2 at Latch
; CHECK-NEXT: seq
; CHECK-NEXT: block bb1
; CHECK-NEXT: edge bb1 -> bb2
; CHECK-NEXT: block bb2
; CHECK-NEXT: return bb2
; CHECK-LABEL: tree of before
; CHECK-NEXT: seq
; CHECK-NEXT: block bb0
; CHECK-NEXT: edge bb0 -> bb1
; CHECK-NEXT: loop0 {{.*}}header bb1 latch bb2 exit bb1 -> bb3 at Header
; CHECK-NEXT: seq
; CHECK-NEXT: edge bb1 -> bb2
; CHECK-NEXT: block bb2
; CHECK-NEXT: edge bb1 -> bb3
; CHECK-NEXT: block bb3
; CHECK-NEXT: return bb3
; CHECK-LABEL: tree of nested
; CHECK-NEXT: seq
; CHECK-NEXT: block bb0
; CHECK-NEXT: edge bb0 -> bb1
; CHECK-NEXT: loop0 {{.*}}header bb1 latch bb3 exit bb3 -> bb4 at Latch
; CHECK-NEXT: seq
; CHECK-NEXT: block bb1
; CHECK-NEXT: edge bb1 -> bb2
; CHECK-NEXT: loop1 {{.*}}header bb2 latch bb2 exit bb2 -> bb3 at Latch
; CHECK-NEXT: seq
; CHECK-NEXT: block bb2
; CHECK-NEXT: edge bb2 -> bb3
; CHECK-NEXT: block bb3
; CHECK-NEXT: edge bb3 -> bb4
; CHECK-NEXT: block bb4
; CHECK-NEXT: return bb4
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @after(ptr %p, i32 %n) #0 {
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
define ptx_kernel void @before(ptr %p, i32 %n) #0 {
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
define ptx_kernel void @nested(ptr %p, i32 %n) #0 {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %next, %inner ]
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %latch, label %inner
latch:
  %i.next = add nuw nsw i32 %i, 1
  %i.done = icmp eq i32 %i.next, %n
  br i1 %i.done, label %end, label %outer
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
