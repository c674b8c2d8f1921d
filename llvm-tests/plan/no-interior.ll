; No blocks inside: a test that data decides, one of which both sides do something, and one that holds
; for the whole launch.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-NOT: blocks inside
; CHECK-COUNT-3: array0 x not staged: NotProfitable
; CHECK-NOT: blocks inside
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @data(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %r, i32 noundef %mode) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %there = icmp slt i32 %i, %n
  %any = icmp sgt i32 %r, 0
  %go = and i1 %there, %any
  br i1 %go, label %loop, label %exit
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %join ]
  %sum = phi float [ 0.0, %entry ], [ %s, %join ]
  %xi = add nsw i32 %i, %k
  %xl = sext i32 %xi to i64
  %px = getelementptr inbounds float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %inside = fcmp ogt float %vx, 0.0
  br i1 %inside, label %add, label %join
add:
  %more = fadd contract float %sum, %vx
  br label %join
join:
  %s = phi float [ %more, %add ], [ %sum, %loop ]
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %r
  br i1 %done, label %store, label %loop
store:
  %il = sext i32 %i to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %s, ptr %py, align 4
  br label %exit
exit:
  ret void
}
define ptx_kernel void @both(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %r, i32 noundef %mode) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %there = icmp slt i32 %i, %n
  %any = icmp sgt i32 %r, 0
  %go = and i1 %there, %any
  br i1 %go, label %loop, label %exit
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %join ]
  %sum = phi float [ 0.0, %entry ], [ %s, %join ]
  %xi = add nsw i32 %i, %k
  %xl = sext i32 %xi to i64
  %px = getelementptr inbounds float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %inside = icmp slt i32 %xi, %n
  br i1 %inside, label %add, label %other
add:
  %more = fadd contract float %sum, %vx
  br label %join
other:
  %less = fsub contract float %sum, %vx
  br label %join
join:
  %s = phi float [ %more, %add ], [ %less, %other ]
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %r
  br i1 %done, label %store, label %loop
store:
  %il = sext i32 %i to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %s, ptr %py, align 4
  br label %exit
exit:
  ret void
}
define ptx_kernel void @uniform(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %r, i32 noundef %mode) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %there = icmp slt i32 %i, %n
  %any = icmp sgt i32 %r, 0
  %go = and i1 %there, %any
  br i1 %go, label %loop, label %exit
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %join ]
  %sum = phi float [ 0.0, %entry ], [ %s, %join ]
  %xi = add nsw i32 %i, %k
  %xl = sext i32 %xi to i64
  %px = getelementptr inbounds float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %inside = icmp sgt i32 %mode, 0
  br i1 %inside, label %add, label %join
add:
  %more = fadd contract float %sum, %vx
  br label %join
join:
  %s = phi float [ %more, %add ], [ %sum, %loop ]
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %r
  br i1 %done, label %store, label %loop
store:
  %il = sext i32 %i to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %s, ptr %py, align 4
  br label %exit
exit:
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
