; `a` is staged in strips of the outer loop. `b`, which the store behind the inner loop may hit, can
; only be copied anew in each round, and such a region would lie inside those strips. Alone, `b` is
; staged there.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of both
; CHECK: region0: {{.*}}loop0 in strips of
; CHECK-NEXT: tile0: array{{[0-9]}} a,
; CHECK-NOT: tile1
; CHECK: array{{[0-9]}} b not staged: Nested (its region lies inside the strips of another array)
; CHECK-LABEL: plan of alone
; CHECK: tile0: array{{[0-9]}} b,
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @both(ptr noalias %a, ptr %b, ptr %z, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %i64 = zext nneg i32 %i to i64
  %pa = getelementptr inbounds float, ptr %a, i64 %i64
  %u = load float, ptr %pa
  br label %loop
loop:
  %k = phi i32 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ %u, %outer ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %b, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %loop, label %latch
latch:
  %where = fptosi float %sum.next to i64
  %q = getelementptr inbounds float, ptr %z, i64 %where
  store float %sum.next, ptr %q
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}
define ptx_kernel void @alone(ptr noalias %a, ptr %b, ptr %z, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %i64 = zext nneg i32 %i to i64
  %u = sitofp i64 %i64 to float
  br label %loop
loop:
  %k = phi i32 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ %u, %outer ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %b, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %loop, label %latch
latch:
  %where = fptosi float %sum.next to i64
  %q = getelementptr inbounds float, ptr %z, i64 %where
  store float %sum.next, ptr %q
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
