; A fence, a call into the unknown, assembly that says it has effects: each may make another block's
; writes visible in the middle of the region. Assembly that only computes does not.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of fenced
; CHECK-NOT: tile
; CHECK: array0 x not staged: UnknownEffect (access1 has effects in the region that are not known)
; CHECK-LABEL: plan of called
; CHECK-NOT: tile
; CHECK: array0 x not staged: UnknownEffect
; CHECK-LABEL: plan of written
; CHECK-NOT: tile
; CHECK: array0 x not staged: UnknownEffect
; Nor need it say so: other threads' values, memory by an address that is a number.
; CHECK-LABEL: plan of shuffled
; CHECK-NOT: tile
; CHECK: array0 x not staged: OwnBarrier
; CHECK-LABEL: plan of loaded
; CHECK-NOT: tile
; CHECK: array0 x not staged: UnknownEffect
; CHECK-LABEL: plan of computed
; CHECK: tile0: array0 x
target triple = "nvptx64-nvidia-cuda"
define void @unknown() noinline {
  fence seq_cst
  ret void
}
define ptx_kernel void @fenced(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  fence seq_cst
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @called(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  call void @unknown()
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @written(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %sum.next = fadd float %sum, %v
  call void asm sideeffect "membar.gl;", "~{memory}"()
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @shuffled(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %other = call float asm "shfl.sync.bfly.b32 $0, $1, 1, 0x1f, 0xffffffff;", "=f,f"(float %v) memory(none)
  %sum.next = fadd float %sum, %other
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @loaded(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %number = ptrtoint ptr %y to i64
  %other = call float asm "ld.global.f32 $0, [$1];", "=f,l"(i64 %number) memory(none)
  %sum.next = fadd float %sum, %other
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @computed(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %u = load float, ptr %p
  %v = call float asm "abs.f32 $0, $1;", "=f,f"(float %u) memory(none)
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
