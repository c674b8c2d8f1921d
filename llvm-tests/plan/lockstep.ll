; Without room for a tile, merged blocks run together: loads that ask for one address in several lanes are
; found by it, under no fact, and where lanes may disagree stands a guard.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;shared=0;merge=1x4>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of five
; CHECK-NEXT: merge 1x4x1 blocks, consecutive along y
; CHECK-NEXT: nothing staged: 20 loads of all replicas, 14 addresses
; CHECK-NEXT: found by address: access0 access3 access4
; CHECK-NEXT: guards: node7
; CHECK-NOT: fact
; CHECK: array0 in not staged: OverBudget
; Along x neighbouring threads stay neighbours: lanes lie a block apart and share nothing.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;shared=0;merge=2>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=ALONG
; ALONG: merge 2x1x1 blocks{{$}}
; ALONG-NEXT: nothing staged: 10 loads of all replicas, 10 addresses
; ALONG-NEXT: guards
; By default four blocks of a light kernel are merged; they pay where the grid is large.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=DEFAULT
; DEFAULT: merge {{.*}}x1 blocks
; DEFAULT: pays: 528 <= nctaid.x*nctaid.y{{$}}
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;merge=off>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=OFF
; OFF-NOT: merge
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
define ptx_kernel void @five(ptr noundef readonly %in, ptr noundef writeonly %out, i32 noundef %w, i32 noundef %h) #0 {
entry:
  %bx = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bnx = mul i32 %bx, %nx
  %tx = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = add i32 %bnx, %tx
  %by = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ny = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %bny = mul i32 %by, %ny
  %ty = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %y = add i32 %bny, %ty
  %x0 = icmp sgt i32 %x, 0
  %w1 = add i32 %w, -1
  %x1 = icmp slt i32 %x, %w1
  %xs = and i1 %x0, %x1
  %y0 = icmp sgt i32 %y, 0
  %h1 = add i32 %h, -1
  %y1 = icmp slt i32 %y, %h1
  %ys = and i1 %y0, %y1
  %inside = and i1 %xs, %ys
  br i1 %inside, label %then, label %exit
then:
  %row = mul i32 %y, %w
  %c = add i32 %row, %x
  %ci = sext i32 %c to i64
  %p = getelementptr inbounds float, ptr %in, i64 %ci
  %v = load float, ptr %p, align 4
  %half = fmul contract float %v, 5.000000e-01
  %pl = getelementptr i8, ptr %p, i64 -4
  %l = load float, ptr %pl, align 4
  %pr = getelementptr i8, ptr %p, i64 4
  %r = load float, ptr %pr, align 4
  %s1 = fadd contract float %l, %r
  %up = sub i32 %c, %w
  %ui = sext i32 %up to i64
  %pu = getelementptr inbounds float, ptr %in, i64 %ui
  %u = load float, ptr %pu, align 4
  %s2 = fadd contract float %s1, %u
  %down = add i32 %c, %w
  %di = sext i32 %down to i64
  %pd = getelementptr inbounds float, ptr %in, i64 %di
  %d = load float, ptr %pd, align 4
  %s3 = fadd contract float %s2, %d
  %eighth = fmul contract float %s3, 1.250000e-01
  %sum = fadd contract float %half, %eighth
  %q = getelementptr inbounds float, ptr %out, i64 %ci
  store float %sum, ptr %q, align 4
  br label %exit
exit:
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
