; A window walks through a mask of known size, so no launch has more elements than that: ten are too few for merged
; blocks to gain, whatever the launch, and the kernel stays as it is; thirty-one are not.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of short_mask
; CHECK-NOT: merge
; CHECK: array1 x not staged: NotProfitable
; CHECK-LABEL: plan of long_mask
; CHECK-NEXT: merge 4x1x1 blocks
; CHECK: pays:
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@ten = internal addrspace(4) externally_initialized global [10 x float] zeroinitializer, align 4
@many = internal addrspace(4) externally_initialized global [31 x float] zeroinitializer, align 4
define ptx_kernel void @short_mask(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %r) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %pre, label %exit
pre:
  %any = icmp sgt i32 %r, 0
  br i1 %any, label %loop, label %store
loop:
  %k = phi i32 [ 0, %pre ], [ %next, %loop ]
  %sum = phi float [ 0.0, %pre ], [ %more, %loop ]
  %wi = zext nneg i32 %k to i64
  %pw = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(4) @ten to ptr), i64 %wi
  %vw = load float, ptr %pw, align 4
  %xi = add nsw i32 %i, %k
  %xl = sext i32 %xi to i64
  %px = getelementptr inbounds float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %m = fmul contract float %vw, %vx
  %more = fadd contract float %sum, %m
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %r
  br i1 %done, label %store, label %loop
store:
  %s = phi float [ 0.0, %pre ], [ %more, %loop ]
  %il = sext i32 %i to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %s, ptr %py, align 4
  br label %exit
exit:
  ret void
}
define ptx_kernel void @long_mask(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %r) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %pre, label %exit
pre:
  %any = icmp sgt i32 %r, 0
  br i1 %any, label %loop, label %store
loop:
  %k = phi i32 [ 0, %pre ], [ %next, %loop ]
  %sum = phi float [ 0.0, %pre ], [ %more, %loop ]
  %wi = zext nneg i32 %k to i64
  %pw = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(4) @many to ptr), i64 %wi
  %vw = load float, ptr %pw, align 4
  %xi = add nsw i32 %i, %k
  %xl = sext i32 %xi to i64
  %px = getelementptr inbounds float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %m = fmul contract float %vw, %vx
  %more = fadd contract float %sum, %m
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %r
  br i1 %done, label %store, label %loop
store:
  %s = phi float [ 0.0, %pre ], [ %more, %loop ]
  %il = sext i32 %i to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %s, ptr %py, align 4
  br label %exit
exit:
  ret void
}
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
attributes #0 = { "target-cpu"="sm_80" }
