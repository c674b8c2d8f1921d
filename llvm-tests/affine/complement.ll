; LLVM writes n - 1 - i as n + (i xor -1). The index must be affine all the same, with the negative
; coefficient: a row walked backwards by a loop that counts up.
; RUN: %opt -load-pass-plugin=%mesi -passes='print<mesi-affine>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: access0: array0 + -4*iter(loop0) + 4*s0 - 4

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @backward(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %body, label %done

body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %flipped = xor i32 %i, -1
  %index = add nsw i32 %flipped, %n
  %wide = sext i32 %index to i64
  %p = getelementptr inbounds float, ptr %x, i64 %wide
  %v = load float, ptr %p, align 4
  %more = fadd float %sum, %v
  %next = add nuw nsw i32 %i, 1
  %last = icmp eq i32 %next, %n
  br i1 %last, label %done, label %body

done:
  %total = phi float [ 0.0, %entry ], [ %more, %body ]
  store float %total, ptr %y, align 4
  ret void
}

attributes #0 = { "target-cpu"="sm_80" }
