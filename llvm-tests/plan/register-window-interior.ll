; Blocks of which no thread comes near a limit: a test in the loop goes one way, and clamps change
; nothing. What makes a block one of them is a fact; its windows slide. A mask in constant memory is
; there whoever reads it.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of edges
; CHECK-NEXT: for interior blocks: clamps change nothing, ifs in loops go one way
; CHECK-NEXT: merge 4x1x1 blocks, consecutive along x
; CHECK: region0: {{.*}} whole, in pieces
; CHECK: serves access1 [0] slides along x in loop0 by 4
; CHECK-DAG: fact: 0 <= tid.x + iter(loop0) + ctaid.x*ntid.x - 15{{$}}
; CHECK-DAG: fact: 0 <= -tid.x - iter(loop0) - ctaid.x*ntid.x + s0 + 14{{$}}
; CHECK: array0 mask not staged: ConstantMemory
; CHECK: plan of clamped
; CHECK-NEXT: for interior blocks
; CHECK-NEXT: merge 4x1x1 blocks, consecutive along x
; CHECK: dim stride 4: tid.x + iter(loop0), offsets 0..0, extent 4*ntid.x + trip(loop0) + 2, pitch 1
; CHECK: serves access0 [0] slides along x in loop0 by 4
; CHECK-DAG: fact: 0 <= tid.x + iter(loop0) + ctaid.x*ntid.x <=
; CHECK-DAG: fact: 0 <= -tid.x - iter(loop0) - ctaid.x*ntid.x + s{{[0-9]}} - 1{{$}}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@mask = internal addrspace(4) externally_initialized global [31 x float] zeroinitializer, align 4
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
define ptx_kernel void @edges(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %there = icmp slt i32 %i, %n
  br i1 %there, label %pre, label %exit
pre:
  %from = add nsw i32 %i, -15
  br label %loop
loop:
  %k = phi i32 [ 0, %pre ], [ %next, %join ]
  %sum = phi float [ 0.0, %pre ], [ %s, %join ]
  %xi = add nsw i32 %from, %k
  %low = icmp sgt i32 %xi, -1
  %high = icmp slt i32 %xi, %n
  %inside = and i1 %low, %high
  br i1 %inside, label %add, label %join
add:
  %kl = zext nneg i32 %k to i64
  %pm = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(4) @mask to ptr), i64 %kl
  %vm = load float, ptr %pm, align 4
  %xl = zext nneg i32 %xi to i64
  %px = getelementptr inbounds nuw float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %m = fmul contract float %vx, %vm
  %more = fadd contract float %sum, %m
  br label %join
join:
  %s = phi float [ %more, %add ], [ %sum, %loop ]
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 31
  br i1 %done, label %store, label %loop
store:
  %il = sext i32 %i to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %s, ptr %py, align 4
  br label %exit
exit:
  ret void
}
define ptx_kernel void @clamped(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %r) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %there = icmp slt i32 %i, %n
  %any = icmp sgt i32 %r, 0
  %go = and i1 %there, %any
  br i1 %go, label %pre, label %exit
pre:
  %last = add nsw i32 %n, -1
  br label %loop
loop:
  %k = phi i32 [ 0, %pre ], [ %next, %loop ]
  %sum = phi float [ 0.0, %pre ], [ %more, %loop ]
  %xi = add nsw i32 %i, %k
  %a = call i32 @llvm.smax.i32(i32 %xi, i32 0)
  %c = call i32 @llvm.smin.i32(i32 %a, i32 %last)
  %xl = sext i32 %c to i64
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
attributes #0 = { "target-cpu"="sm_90" }
