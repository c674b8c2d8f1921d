; Loops around the region. Grid-stride: threads leave the outer loop at different times. The weights do
; not move with it and are copied once, before it. Where `y`, which may be `w`, is stored in each round
; at a place that is not known at entry, they are copied in each round, by the threads still there.
; Nested uniform loops: the same with a fence as what keeps the copy inside the outer loop.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of grid_stride
; CHECK-NEXT: region0: {{.*}}whole
; CHECK-NEXT: tile0: array0 w, unit 4, run-time size at byte 0
; CHECK: dim stride 4: iter(loop1), offsets 0..0, extent trip(loop1), pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]], tid.x <= -ctaid.x*ntid.x + s0 - 1
; CHECK-NEXT: serves access0 [0]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
; CHECK-LABEL: plan of grid_stride_alias
; CHECK-NEXT: region0: {{.*}}whole, after a barrier
; CHECK-NEXT: tile0: array0 w, unit 4, run-time size at byte 0
; CHECK: dim stride 4: iter(loop1), offsets 0..0, extent trip(loop1), pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access0 [0]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
; CHECK-LABEL: plan of nested
; CHECK-NEXT: region0: {{.*}}whole
; CHECK-NEXT: tile0: array0 x, unit 4, run-time size at byte 0
; CHECK: dim stride 4*s1: iter(loop0), offsets 0..0, extent trip(loop0), pitch extent inside + 0
; CHECK-NEXT: dim stride 4: iter(loop1), offsets 0..0, extent trip(loop1), pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0, 0]]
; CHECK-NEXT: serves access0 [0, 0]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
; CHECK-LABEL: plan of nested_fence
; CHECK-NEXT: region0: {{.*}}whole, after a barrier
; CHECK-NEXT: tile0: array0 x, unit 4, run-time size at byte 0
; CHECK: dim stride 4: iter(loop1), offsets 0..0, extent trip(loop1), pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access0 [0]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
target triple = "nvptx64-nvidia-cuda"
; for (i = id; i < n; i += threads) for (k < m) sum += w[k]
define ptx_kernel void @grid_stride(ptr noalias %w, ptr noalias %y, i32 %n, i32 %m) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %base = mul i32 %b, %d
  %first = add i32 %base, %t
  %step = mul i32 %g, %d
  %in = icmp slt i32 %first, %n
  br i1 %in, label %outer, label %end
outer:
  %i = phi i32 [ %first, %entry ], [ %i.next, %latch ]
  br label %loop
loop:
  %k = phi i32 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ 0.0, %outer ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %w, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %loop, label %latch
latch:
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %sum.next, ptr %q
  %i.next = add nsw i32 %i, %step
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}
define ptx_kernel void @grid_stride_alias(ptr %w, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %base = mul i32 %b, %d
  %first = add i32 %base, %t
  %step = mul i32 %g, %d
  %in = icmp slt i32 %first, %n
  br i1 %in, label %outer, label %end
outer:
  %i = phi i32 [ %first, %entry ], [ %i.next, %latch ]
  br label %loop
loop:
  %k = phi i32 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ 0.0, %outer ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %w, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %loop, label %latch
latch:
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %sum.next, ptr %q
  %i.next = add nsw i32 %i, %step
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}
; for (z < d) { s = 0; for (k < n) s += x[z*n + k] * t; y[z*m + t] = s }
define ptx_kernel void @nested(ptr noalias %x, ptr %y, i32 %n, i32 %d, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %z = phi i32 [ 0, %entry ], [ %z.next, %latch ]
  %plane = mul nsw i32 %z, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ 0.0, %outer ], [ %sum.next, %loop ]
  %i = add nsw i32 %plane, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %latch
latch:
  %row = mul nsw i32 %z, %m
  %j = add nsw i32 %row, %t
  %j64 = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %y, i64 %j64
  store float %sum.next, ptr %q
  %z.next = add nuw nsw i32 %z, 1
  %more = icmp slt i32 %z.next, %d
  br i1 %more, label %outer, label %end
end:
  ret void
}
define ptx_kernel void @nested_fence(ptr noalias %x, ptr %y, i32 %n, i32 %d, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %z = phi i32 [ 0, %entry ], [ %z.next, %latch ]
  %plane = mul nsw i32 %z, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ 0.0, %outer ], [ %sum.next, %loop ]
  %i = add nsw i32 %plane, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %latch
latch:
  %row = mul nsw i32 %z, %m
  %j = add nsw i32 %row, %t
  %j64 = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %y, i64 %j64
  store float %sum.next, ptr %q
  fence seq_cst
  %z.next = add nuw nsw i32 %z, 1
  %more = icmp slt i32 %z.next, %d
  br i1 %more, label %outer, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
