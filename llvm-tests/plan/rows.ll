; Each thread walks its own row. The tile holds ntid.x rows of a strip; neighbouring threads read down
; a column of it, so its rows are padded. With 1024 rows of 32 it would not fit: the cap and the strip
; shrink together, and one launched with more threads runs the original.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off;overlap=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of rows
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 32, depth 1
; CHECK-NEXT: tile0: array0 a, unit 4, 9216 cells at byte 0
; CHECK: dim stride 4*s0: tid.x, offsets 0..0, extent ntid.x, pitch 36
; CHECK-NEXT: dim stride 4: iter(loop0), offsets 0..0, extent 32, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0, 0]]
; CHECK-NEXT: serves access0 [0, 0]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
; CHECK-LABEL: plan of vectors
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 32, depth 1
; CHECK-NEXT: tile0: array0 a, unit 4, 128 cells at byte 0
; CHECK: dim stride 16: iter(loop0), offsets 0..0, extent 32, pitch 4
; CHECK-NEXT: dim stride 4: 0, offsets 0..3, extent 4, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0, 0], [0, 3]]
; CHECK-NEXT: serves access0 [0, 0], access1 [0, 3]
; CHECK: array1 y not staged: OnlyStored (it is only written, and staging would not help)
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @rows(ptr noalias %a, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %i64
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
; Four floats at a time: the record is a dimension of its own, of unpadded fields.
define ptx_kernel void @vectors(ptr noalias %a, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %i64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds { float, float, float, float }, ptr %a, i64 %i64
  %v = load float, ptr %p, align 16
  %p3 = getelementptr inbounds i8, ptr %p, i64 12
  %w = load float, ptr %p3, align 4
  %m = fmul float %v, %w
  %sum.next = fadd float %sum, %m
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
