; `c[i] += a[i*n + k] * x[k]` stores in every iteration, because `c` may be `a` or `x`. With the entry
; ruling that out it is one load before the loop and one store behind it. With another access to `c`
; at a different place in the loop it must stay in memory. What is only stored starts without a load.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of accumulates
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 32, depth 1
; CHECK-NEXT: tile0: array0 a, unit 4, 32 cells at byte 0
; CHECK: dim stride 4: iter(loop0), offsets 0..0, extent 32, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access0 [0]
; CHECK-NEXT: register in loop0: access1 access2, loaded first
; CHECK: fact: array0 + 0 + (4)*(iter(loop0)) for 4 bytes apart from array1 + 0 + (4)*(tid.x) for 4 bytes
; CHECK-LABEL: plan of keeps
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 32, depth 1
; CHECK-NEXT: tile0: array0 a, unit 4, 32 cells at byte 0
; CHECK: dim stride 4: iter(loop0), offsets 0..0, extent 32, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access0 [0]
; CHECK-NEXT: register in loop0: access1
; CHECK: fact: array0 + 0 + (4)*(iter(loop0)) for 4 bytes apart from array1 + 0 + (4)*(tid.x) for 4 bytes
; CHECK-LABEL: plan of elsewhere
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 32, depth 1
; CHECK-NEXT: tile0: array0 a, unit 4, 32 cells at byte 0
; CHECK: dim stride 4: iter(loop0), offsets 0..0, extent 32, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access0 [0]
; CHECK: fact: array0 + 0 + (4)*(iter(loop0)) for 4 bytes apart from array1 + 0 + (4)*(tid.x) for 4 bytes
; CHECK: array1 c not staged: WrittenInRegion (access2 writes it while it would be staged)
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @accumulates(ptr %a, ptr %c, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext nneg i32 %t to i64
  %pc = getelementptr inbounds float, ptr %c, i64 %t64
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %pa = getelementptr inbounds float, ptr %a, i64 %k64
  %v = load float, ptr %pa
  %old = load float, ptr %pc
  %new = fadd float %old, %v
  store float %new, ptr %pc
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
define ptx_kernel void @keeps(ptr %a, ptr %c, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext nneg i32 %t to i64
  %pc = getelementptr inbounds float, ptr %c, i64 %t64
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %pa = getelementptr inbounds float, ptr %a, i64 %k64
  %v = load float, ptr %pa
  store float %v, ptr %pc
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
define ptx_kernel void @elsewhere(ptr %a, ptr %c, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext nneg i32 %t to i64
  %pc = getelementptr inbounds float, ptr %c, i64 %t64
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %pa = getelementptr inbounds float, ptr %a, i64 %k64
  %v = load float, ptr %pa
  %old = load float, ptr %pc
  %po = getelementptr inbounds float, ptr %c, i64 %k64
  %other = load float, ptr %po
  %two = fadd float %v, %other
  %new = fadd float %old, %two
  store float %new, ptr %pc
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
