; Places. An array that an inner loop reads whole, again in each round of an outer one, is copied once
; before the outer loop: its size is known only at run time, and the entry tests that it fits. One that
; moves with the outer loop is copied in its strips. Outside loops the sequence is the region.
; Where each thread walks along a row of its own, rows are an odd number of 16-byte pieces, those that all threads
; read whole pieces, and both are copied by pieces. Without wide copies a cell of padding is enough.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off;width=off>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=NARROW
; NARROW-LABEL: plan of distances
; NARROW-NEXT: region0: {{.*}}whole{{$}}
; NARROW: tid.x, {{.*}} pitch extent inside + 1{{$}}
; NARROW: iter(loop0), {{.*}} pitch extent inside + 0{{$}}
; CHECK-LABEL: plan of distances
; CHECK-NEXT: region0: {{.*}}whole, in pieces
; CHECK-NEXT: tile0: array0 p, unit 4, run-time size at byte 0
; CHECK: dim stride 4*s1: tid.x, offsets 0..0, extent ntid.x, pitch extent inside + 0, an odd multiple of 4
; CHECK-NEXT: dim stride 4: iter(loop1), offsets 0..0, extent trip(loop1), pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0, 0]]
; CHECK-NEXT: serves access0 [0, 0]
; CHECK-NEXT: tile1: array1 c, unit 4, run-time size after tile0
; CHECK: dim stride 4*s1: iter(loop0), offsets 0..0, extent trip(loop0), pitch extent inside + 0, a multiple of 4
; CHECK-NEXT: dim stride 4: iter(loop1), offsets 0..0, extent trip(loop1), pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0, 0]]
; CHECK-NEXT: serves access1 [0, 0]
; CHECK: array2 y not staged: OnlyStored (it is only written, and staging would not help)
; CHECK-LABEL: plan of average
; CHECK-NEXT: region0: {{.*}}whole
; CHECK-NEXT: tile0: array0 x, unit 4, run-time size at byte 0
; CHECK: dim stride 4: tid.x + iter(loop0), offsets 0..0, extent ntid.x + trip(loop0) - 1, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access0 [0]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
target triple = "nvptx64-nvidia-cuda"
; for (q < m) for (k < n) d += p[t*n + k] - c[q*n + k]
define ptx_kernel void @distances(ptr noalias %p, ptr noalias %c, ptr noalias %y, i32 %m, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %n
  br label %outer
outer:
  %q = phi i32 [ 0, %entry ], [ %q.next, %latch ]
  %total = phi float [ 0.0, %entry ], [ %sum.next, %latch ]
  %centre = mul nsw i32 %q, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ %total, %outer ], [ %sum.next, %loop ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %pp = getelementptr inbounds float, ptr %p, i64 %i64
  %v = load float, ptr %pp
  %j = add nsw i32 %centre, %k
  %j64 = sext i32 %j to i64
  %pc = getelementptr inbounds float, ptr %c, i64 %j64
  %w = load float, ptr %pc
  %d = fsub float %v, %w
  %sum.next = fadd float %sum, %d
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %latch
latch:
  %q.next = add nuw nsw i32 %q, 1
  %more = icmp slt i32 %q.next, %m
  br i1 %more, label %outer, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %py = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %py
  ret void
}
; The moving average with a radius: one tile of ntid.x + 2r elements, whole.
define ptx_kernel void @average(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %i = add nsw i32 %t, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
