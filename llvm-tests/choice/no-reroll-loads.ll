; A loop unrolled by hand is not rolled up if the rest's loop would load more: what it loads may not be there.
; RUN: %opt -load-pass-plugin %mesi -mesi-disable -passes='print<mesi-plan;disable=off;form=own>' -disable-output %s 2>&1 | %FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: plan of same
; CHECK: rerolled: loops that were unrolled by hand, 2 times, are rolled up
; CHECK-LABEL: plan of more
; CHECK-NOT: rerolled
define ptx_kernel void @same(ptr readonly %a, ptr readonly %b, ptr %sums, i32 %m, i32 %n) {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %3 = mul i32 %0, %1
  %row = add i32 %3, %2
  %inside = icmp slt i32 %row, %m
  br i1 %inside, label %guard, label %end

guard:
  %start = mul nsw i32 %row, %n
  %few = icmp slt i32 %n, 2
  br i1 %few, label %rest, label %twice

twice:
  %i = phi i32 [ 0, %guard ], [ %i2, %met1 ]
  %s = phi float [ 0.0, %guard ], [ %s2, %met1 ]
  %at0 = add nsw i32 %start, %i
  %x0 = sext i32 %at0 to i64
  %p0 = getelementptr float, ptr %a, i64 %x0
  %a0 = load float, ptr %p0, align 4
  %c0 = fcmp ogt float %a0, 0.0
  br i1 %c0, label %then0, label %met0

then0:
  %w0 = zext nneg i32 %i to i64
  %q0 = getelementptr float, ptr %b, i64 %w0
  %b0 = load float, ptr %q0, align 4
  %t0 = fadd float %s, %b0
  br label %met0

met0:
  %s1 = phi float [ %s, %twice ], [ %t0, %then0 ]
  %i1 = or disjoint i32 %i, 1
  %at1 = add nsw i32 %start, %i1
  %x1 = sext i32 %at1 to i64
  %p1 = getelementptr float, ptr %a, i64 %x1
  %a1 = load float, ptr %p1, align 4
  %c1 = fcmp ogt float %a1, 0.0
  br i1 %c1, label %then1, label %met1

then1:
  %w1 = zext nneg i32 %i1 to i64
  %q1 = getelementptr float, ptr %b, i64 %w1
  %b1 = load float, ptr %q1, align 4
  %t1 = fadd float %s1, %b1
  br label %met1

met1:
  %s2 = phi float [ %s1, %met0 ], [ %t1, %then1 ]
  %i2 = add nuw nsw i32 %i, 2
  %i4 = add nuw nsw i32 %i, 4
  %over = icmp sgt i32 %i4, %n
  br i1 %over, label %rest, label %twice

rest:
  %ri = phi i32 [ 0, %guard ], [ %i2, %met1 ]
  %rs = phi float [ 0.0, %guard ], [ %s2, %met1 ]
  %some = icmp slt i32 %ri, %n
  br i1 %some, label %once, label %store

once:
  %j = phi i32 [ %ri, %rest ], [ %j1, %met ]
  %u = phi float [ %rs, %rest ], [ %u1, %met ]
  %at = add nsw i32 %start, %j
  %x = sext i32 %at to i64
  %p = getelementptr float, ptr %a, i64 %x
  %av = load float, ptr %p, align 4
  %w = zext nneg i32 %j to i64
  %q = getelementptr float, ptr %b, i64 %w
  %c = fcmp ogt float %av, 0.0
  br i1 %c, label %then, label %met

then:
  %bv = load float, ptr %q, align 4
  %t = fadd float %u, %bv
  br label %met

met:
  %u1 = phi float [ %u, %once ], [ %t, %then ]
  %j1 = add nuw nsw i32 %j, 1
  %done = icmp eq i32 %j1, %n
  br i1 %done, label %store, label %once

store:
  %sum = phi float [ %rs, %rest ], [ %u1, %met ]
  %xs = sext i32 %row to i64
  %ps = getelementptr float, ptr %sums, i64 %xs
  store float %sum, ptr %ps, align 4
  br label %end

end:
  ret void
}

define ptx_kernel void @more(ptr readonly %a, ptr readonly %b, ptr %sums, i32 %m, i32 %n) {
entry:
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %3 = mul i32 %0, %1
  %row = add i32 %3, %2
  %inside = icmp slt i32 %row, %m
  br i1 %inside, label %guard, label %end

guard:
  %start = mul nsw i32 %row, %n
  %few = icmp slt i32 %n, 2
  br i1 %few, label %rest, label %twice

twice:
  %i = phi i32 [ 0, %guard ], [ %i2, %met1 ]
  %s = phi float [ 0.0, %guard ], [ %s2, %met1 ]
  %at0 = add nsw i32 %start, %i
  %x0 = sext i32 %at0 to i64
  %p0 = getelementptr float, ptr %a, i64 %x0
  %a0 = load float, ptr %p0, align 4
  %c0 = fcmp ogt float %a0, 0.0
  br i1 %c0, label %then0, label %met0

then0:
  %w0 = zext nneg i32 %i to i64
  %q0 = getelementptr float, ptr %b, i64 %w0
  %b0 = load float, ptr %q0, align 4
  %t0 = fadd float %s, %b0
  br label %met0

met0:
  %s1 = phi float [ %s, %twice ], [ %t0, %then0 ]
  %i1 = or disjoint i32 %i, 1
  %at1 = add nsw i32 %start, %i1
  %x1 = sext i32 %at1 to i64
  %p1 = getelementptr float, ptr %a, i64 %x1
  %a1 = load float, ptr %p1, align 4
  %c1 = fcmp ogt float %a1, 0.0
  br i1 %c1, label %then1, label %met1

then1:
  %w1 = zext nneg i32 %i1 to i64
  %q1 = getelementptr float, ptr %b, i64 %w1
  %b1 = load float, ptr %q1, align 4
  %t1 = fadd float %s1, %b1
  br label %met1

met1:
  %s2 = phi float [ %s1, %met0 ], [ %t1, %then1 ]
  %i2 = add nuw nsw i32 %i, 2
  %i4 = add nuw nsw i32 %i, 4
  %over = icmp sgt i32 %i4, %n
  br i1 %over, label %rest, label %twice

rest:
  %ri = phi i32 [ 0, %guard ], [ %i2, %met1 ]
  %rs = phi float [ 0.0, %guard ], [ %s2, %met1 ]
  %some = icmp slt i32 %ri, %n
  br i1 %some, label %once, label %store

once:
  %j = phi i32 [ %ri, %rest ], [ %j1, %met ]
  %u = phi float [ %rs, %rest ], [ %u1, %met ]
  %at = add nsw i32 %start, %j
  %x = sext i32 %at to i64
  %p = getelementptr float, ptr %a, i64 %x
  %av = load float, ptr %p, align 4
  %w = zext nneg i32 %j to i64
  %q = getelementptr float, ptr %b, i64 %w
  %unused = load float, ptr %q, align 4
  %c = fcmp ogt float %av, 0.0
  br i1 %c, label %then, label %met

then:
  %bv = load float, ptr %q, align 4
  %t = fadd float %u, %bv
  br label %met

met:
  %u1 = phi float [ %u, %once ], [ %t, %then ]
  %j1 = add nuw nsw i32 %j, 1
  %done = icmp eq i32 %j1, %n
  br i1 %done, label %store, label %once

store:
  %sum = phi float [ %rs, %rest ], [ %u1, %met ]
  %xs = sext i32 %row to i64
  %ps = getelementptr float, ptr %sums, i64 %xs
  store float %sum, ptr %ps, align 4
  br label %end

end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
