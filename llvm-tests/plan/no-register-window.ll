; Windows that do not slide, and are left alone by default: one walked backwards, whose cells would come
; in the other order, and one in whose loop data decides, which lanes run one after the other.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=4>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=DEFAULT
; CHECK: plan of backwards
; CHECK-NEXT: merge 4x1x1
; CHECK-NOT: slides
; CHECK: plan of branching
; CHECK-NEXT: merge 4x1x1
; CHECK-NOT: slides
; DEFAULT-COUNT-2: array0 x not staged: NotProfitable
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
define ptx_kernel void @backwards(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %r) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %inside = icmp slt i32 %i, %n
  %any = icmp sgt i32 %r, 0
  %go = and i1 %inside, %any
  br i1 %go, label %loop, label %exit
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %xi = sub nsw i32 %i, %k
  %xl = sext i32 %xi to i64
  %px = getelementptr inbounds float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %more = fadd contract float %sum, %vx
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %r
  br i1 %done, label %store, label %loop
store:
  %il = sext i32 %i to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %more, ptr %py, align 4
  br label %exit
exit:
  ret void
}
define ptx_kernel void @branching(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %r) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %inside = icmp slt i32 %i, %n
  %any = icmp sgt i32 %r, 0
  %go = and i1 %inside, %any
  br i1 %go, label %loop, label %exit
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %more, %latch ]
  %xi = add nsw i32 %i, %k
  %xl = sext i32 %xi to i64
  %px = getelementptr inbounds float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %odd = fcmp ogt float %vx, 0.0
  br i1 %odd, label %take, label %latch
take:
  %with = fadd contract float %sum, %vx
  br label %latch
latch:
  %more = phi float [ %sum, %loop ], [ %with, %take ]
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %r
  br i1 %done, label %store, label %loop
store:
  %il = sext i32 %i to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %more, ptr %py, align 4
  br label %exit
exit:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
