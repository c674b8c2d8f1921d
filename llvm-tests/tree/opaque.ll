; What is not nested ifs and loops is kept whole, with the reason: a loop left from two places, a
; switch, sides of a branch that share a block, a loop with two latches. What follows is structured.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-tree>' -disable-output %s 2>&1 | %FileCheck %s
; A switch that swallows the latch goes on behind the loop: the loop is kept whole.
; CHECK-LABEL: tree of swallows
; CHECK-NEXT: seq
; CHECK-NEXT: block bb0
; CHECK-NEXT: edge bb0 -> bb1
; CHECK-NEXT: opaque LoopShape bb1 [bb1 bb2 bb3] -> bb4
; CHECK-NEXT: block bb4
; CHECK-NEXT: return bb4
; The same where a loop stands around it, whose header comes next: it is not lifted again within itself.
; CHECK-LABEL: tree of swallows_inside
; CHECK-NEXT: seq
; CHECK-NEXT: block bb0
; CHECK-NEXT: edge bb0 -> bb1
; CHECK-NEXT: loop0 node{{[0-9]+}} header bb1 latch bb6 exit bb6 -> bb7 at Latch
; CHECK-NEXT: seq
; CHECK-NEXT: block bb1
; CHECK-NEXT: edge bb1 -> bb2
; CHECK-NEXT: opaque LoopShape bb2 [bb2 bb3 bb4 bb5] -> bb6
; CHECK-NEXT: block bb6
; CHECK-NEXT: edge bb6 -> bb7
; CHECK-NEXT: block bb7
; CHECK-NEXT: return bb7
; CHECK-LABEL: tree of breaks
; CHECK-NEXT: seq
; CHECK-NEXT: block bb0
; CHECK-NEXT: edge bb0 -> bb1
; CHECK-NEXT: opaque SeveralExits bb1 [bb1 bb2] -> bb3
; CHECK-NEXT: block bb3
; CHECK-NEXT: return bb3
; CHECK-LABEL: tree of switches
; CHECK-NEXT: seq
; CHECK-NEXT: opaque Switch bb0 [bb0 bb1 bb2] -> bb3
; CHECK-NEXT: block bb3
; CHECK-NEXT: return bb3
; CHECK-LABEL: tree of shares
; CHECK-NEXT: seq
; CHECK-NEXT: opaque Unstructured bb0 [bb0 bb1 bb2] -> bb3
; CHECK-NEXT: block bb3
; CHECK-NEXT: return bb3
; CHECK-LABEL: tree of continues
; CHECK-NEXT: seq
; CHECK-NEXT: block bb0
; CHECK-NEXT: edge bb0 -> bb1
; CHECK-NEXT: opaque LoopShape bb1 [bb1 bb2] -> bb3
; CHECK-NEXT: block bb3
; CHECK-NEXT: return bb3
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @swallows(ptr %p, i32 %n) #0 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  switch i32 %k, label %other [
    i32 0, label %latch
    i32 1, label %latch
  ]
other:
  store i32 %k, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %last = icmp eq i32 %next, %n
  br i1 %last, label %end, label %loop
end:
  ret void
}
define ptx_kernel void @swallows_inside(ptr %p, i32 %n, i32 %m) #0 {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %next, %latch ]
  %first = icmp slt i32 %k, %i
  br i1 %first, label %second, label %other
second:
  %v = load i32, ptr %p
  %both = icmp slt i32 %v, %k
  br i1 %both, label %latch, label %other
other:
  store i32 %k, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %last = icmp eq i32 %next, %n
  br i1 %last, label %outer.latch, label %inner
outer.latch:
  %i.next = add nuw nsw i32 %i, 1
  %end = icmp eq i32 %i.next, %m
  br i1 %end, label %exit, label %outer
exit:
  ret void
}
define ptx_kernel void @breaks(ptr %p, i32 %n) #0 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %more ]
  %i = zext nneg i32 %k to i64
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %x = load i32, ptr %at
  %found = icmp eq i32 %x, 7
  br i1 %found, label %end, label %more
more:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  store i32 %k, ptr %p
  ret void
}
define ptx_kernel void @switches(ptr %p, i32 %n) #0 {
entry:
  switch i32 %n, label %end [ i32 1, label %one
                              i32 2, label %two ]
one:
  store i32 1, ptr %p
  br label %end
two:
  store i32 2, ptr %p
  br label %end
end:
  ret void
}
define ptx_kernel void @shares(ptr %p, i1 %a, i1 %b) #0 {
entry:
  br i1 %a, label %left, label %both
left:
  br i1 %b, label %both, label %end
both:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}
define ptx_kernel void @continues(ptr %p, i32 %n, i1 %c) #0 {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop.end ], [ %next, %loop ]
  %next = add nuw nsw i32 %k, 1
  br i1 %c, label %loop, label %loop.end
loop.end:
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
