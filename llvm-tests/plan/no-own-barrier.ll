; A barrier of the kernel's own in the region: what it orders must stay in order. A shuffle there needs
; its warp as it is. A barrier before the region is no obstacle, unless the region stands under an
; `if`, which is split so that barriers in it would no longer pair.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of barrier
; CHECK-NOT: tile
; CHECK: array0 x not staged: OwnBarrier (access1 is a barrier or warp operation in the region)
; CHECK-LABEL: plan of shuffle
; CHECK-NOT: tile
; CHECK: array0 x not staged: OwnBarrier
; CHECK-LABEL: plan of earlier
; CHECK: tile0: array0 x
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @barrier(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
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
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @shuffle(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %k64 = zext nneg i32 %k to i64
  %p = getelementptr inbounds float, ptr %x, i64 %k64
  %v = load float, ptr %p
  %o = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v, i32 1, i32 31)
  %sum.next = fadd float %sum, %o
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
define ptx_kernel void @earlier(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
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
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
