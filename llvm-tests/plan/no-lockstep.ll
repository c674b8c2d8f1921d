; Light kernels that are not surely faster with blocks merged are left as they are: one that works in place on
; neighbours, one whose threads lie far apart, one with a loop, one that loads nothing, one that does nothing. Explicitly asked for, the first is merged.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of in_place
; CHECK-NOT: merge
; CHECK-LABEL: plan of far
; CHECK-NOT: merge
; CHECK-LABEL: plan of chain
; CHECK-NOT: merge
; CHECK-LABEL: plan of fill
; CHECK-NOT: merge
; CHECK-LABEL: plan of empty
; CHECK-NOT: merge
; CHECK-LABEL: plan of light
; CHECK-NEXT: merge 4x1x1 blocks
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;shared=0;merge=2>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=ASKED
; ASKED-LABEL: plan of in_place
; ASKED-NEXT: merge 2x1x1 blocks
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @in_place(ptr %x, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bm = mul i32 %b, %m
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %bm, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %then, label %exit
then:
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p, align 4
  %first = load float, ptr %x, align 4
  %s = fadd float %v, %first
  store float %s, ptr %p, align 4
  br label %exit
exit:
  ret void
}
define ptx_kernel void @far(ptr %x, ptr %y, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bm = mul i32 %b, %m
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %bm, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %then, label %exit
then:
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds [7 x float], ptr %x, i64 %i64
  %v = load float, ptr %p, align 4
  %q = getelementptr inbounds [7 x float], ptr %y, i64 %i64
  store float %v, ptr %q, align 4
  br label %exit
exit:
  ret void
}
define ptx_kernel void @chain(ptr %x, ptr %y, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bm = mul i32 %b, %m
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %bm, %t
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %x, i64 %i64
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load i32, ptr %p, align 4
  %next = add nsw i32 %k, %v
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %q = getelementptr inbounds i32, ptr %y, i64 %i64
  store i32 %next, ptr %q, align 4
  ret void
}
define ptx_kernel void @fill(ptr %y, float %v, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bm = mul i32 %b, %m
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %bm, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %then, label %exit
then:
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %v, ptr %q, align 4
  br label %exit
exit:
  ret void
}
define ptx_kernel void @empty() #0 {
entry:
  ret void
}
define ptx_kernel void @light(ptr %x, ptr %y, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bm = mul i32 %b, %m
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %bm, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %then, label %exit
then:
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p, align 4
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %v, ptr %q, align 4
  br label %exit
exit:
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
