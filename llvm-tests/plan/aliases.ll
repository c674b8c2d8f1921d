; A store in the region through a pointer that may be the staged array: the entry tests that the bytes
; are apart, once where both arrays have tiles. A store outside the region needs no test but a barrier
; before the copy, because another thread of the block may have written what is copied. __restrict__ and
; two __device__ arrays need none.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off;overlap=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of inside
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 32, depth 1
; CHECK-NEXT: tile0: array0 x, unit 4, 32 cells at byte 0
; CHECK: dim stride 4: iter(loop0), offsets 0..0, extent 32, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access0 [0]
; CHECK: tile1: array1 y
; CHECK: fact: array0 + 0 + (4)*(iter(loop0)) for 4 bytes apart from array1 + 0 + (4*s0)*(tid.x) + (4)*(iter(loop0)) for 4 bytes
; CHECK-NOT: apart
; CHECK-LABEL: plan of outside
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 32, depth 1, after a barrier
; CHECK-NEXT: tile0: array1 x, unit 4, 32 cells at byte 0
; CHECK: dim stride 4: iter(loop0), offsets 0..0, extent 32, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access1 [0]
; CHECK: array0 y not staged: OnlyStored (it is only written, and staging would not help)
; CHECK-LABEL: plan of globals
; CHECK-NEXT: region0: {{.*}}whole
; CHECK-NEXT: tile0: array0 table, unit 4, 1024 cells at byte 0
; CHECK: dim stride 4: tid.x, offsets 0..0, extent ntid.x, pitch 1
; CHECK-NEXT: reads offsets {{\[\[}}0]]
; CHECK-NEXT: serves access0 [0]
; CHECK: array1 result not staged: OnlyStored (it is only written, and staging would not help)
target triple = "nvptx64-nvidia-cuda"
@table = internal addrspace(1) global [64 x float] zeroinitializer, align 4
@result = internal addrspace(1) global [64 x float] zeroinitializer, align 4
define ptx_kernel void @inside(ptr %x, ptr %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %row = mul nsw i32 %t, %n
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %v, ptr %q
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
define ptx_kernel void @outside(ptr %x, ptr %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float 0.0, ptr %q
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @globals(i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(1) @result to ptr), i64 %t64
  %p = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(1) @table to ptr), i64 %t64
  %v = load float, ptr %p
  store float %v, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
