; The inner loop's trip count is the outer one's iteration, and how often the outer one runs differs from thread to
; thread. What typical launches gain may hang on the inner loop, but the entry cannot tell within what limits its trip
; count lies: no fact asks for it. Where the outer loop runs as often for all, one may.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of threads
; CHECK: tile0: array0 b
; CHECK-NOT: trip(loop1) <=
; CHECK-LABEL: plan of uniform
; CHECK: tile0: array0 b
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>,verify' -disable-output %s
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @threads(ptr noalias %b, ptr noalias %y) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %c, %n
  %i = add i32 %base, %t
  %some = icmp sgt i32 %i, 0
  br i1 %some, label %first, label %end
first:
  %v = load i32, ptr %b, align 4
  br label %outer
outer:
  %k = phi i32 [ 1, %first ], [ %k.next, %latch ]
  %sum = phi i32 [ 0, %first ], [ %most, %latch ]
  br label %loop
loop:
  %j = phi i32 [ 0, %outer ], [ %j.next, %loop ]
  %s = phi i32 [ %sum, %outer ], [ %most, %loop ]
  %more = add i32 %s, 1
  %most = call i32 @llvm.smax.i32(i32 %more, i32 %v)
  %j.next = add nuw nsw i32 %j, 1
  %done = icmp eq i32 %j.next, %k
  br i1 %done, label %latch, label %loop
latch:
  %k.next = add nuw i32 %k, 1
  %last = icmp eq i32 %k, %i
  br i1 %last, label %end, label %outer
end:
  %result = phi i32 [ 0, %entry ], [ %most, %latch ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %y, i64 %at
  store i32 %result, ptr %p, align 4
  ret void
}
define ptx_kernel void @uniform(ptr noalias %b, ptr noalias %y, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %c, %n
  %i = add i32 %base, %t
  %some = icmp sgt i32 %m, 0
  br i1 %some, label %first, label %end
first:
  %v = load i32, ptr %b, align 4
  br label %outer
outer:
  %k = phi i32 [ 1, %first ], [ %k.next, %latch ]
  %sum = phi i32 [ 0, %first ], [ %most, %latch ]
  br label %loop
loop:
  %j = phi i32 [ 0, %outer ], [ %j.next, %loop ]
  %s = phi i32 [ %sum, %outer ], [ %most, %loop ]
  %more = add i32 %s, 1
  %most = call i32 @llvm.smax.i32(i32 %more, i32 %v)
  %j.next = add nuw nsw i32 %j, 1
  %done = icmp eq i32 %j.next, %k
  br i1 %done, label %latch, label %loop
latch:
  %k.next = add nuw i32 %k, 1
  %last = icmp eq i32 %k, %m
  br i1 %last, label %end, label %outer
end:
  %result = phi i32 [ 0, %entry ], [ %most, %latch ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %y, i64 %at
  store i32 %result, ptr %p, align 4
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
