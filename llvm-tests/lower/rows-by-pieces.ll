; Rows along which their threads walk: an odd number of 16-byte pieces each, copied by asynchronous pieces. The tile
; behind begins at a whole piece, which is said anew: LLVM looks through few steps for what is aligned, and what it
; finds aligned is read by 16 bytes once the loop is unrolled.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=off>,verify' -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=off>,default<O3>,load-store-vectorizer' -S %s | %FileCheck %s --check-prefix=WIDE
; CHECK-LABEL: define {{.*}}@distances
; CHECK: [[CELLS:%.*]] = and i32 {{%.*}}, -4
; CHECK: [[PITCH:%.*]] = or i32 [[CELLS]], 4
; CHECK: [[END:%.*]] = call i32 asm "mov.b32 $0, $1;", "=r,r"
; CHECK: and i32 [[END]], -16
; CHECK: call void @llvm.nvvm.cp.async.cg.shared.global.16(
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4(
; CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 0)
; WIDE-LABEL: define {{.*}}@distances
; WIDE: load <4 x float>, ptr addrspace(3) {{%.*}}, align 16
; WIDE: load <4 x float>, ptr addrspace(3) {{%.*}}, align 16
target triple = "nvptx64-nvidia-cuda"
; for (q < m) for (k < n) d += p[t*n + k] - c[q*n + k]
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @distances(ptr noalias %p, ptr noalias %c, ptr noalias %y, i32 %m, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %n
  br label %outer
outer:
  %q = phi i32 [ 0, %entry ], [ %q.next, %latch ]
  %total = phi float [ 0.0, %entry ], [ %sum.next, %latch ]
  %centre = mul nsw i32 %q, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ %total, %outer ], [ %sum.next, %loop ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %pp = getelementptr inbounds float, ptr %p, i64 %i64
  %v = load float, ptr %pp
  %j = add nsw i32 %centre, %k
  %j64 = sext i32 %j to i64
  %pc = getelementptr inbounds float, ptr %c, i64 %j64
  %w = load float, ptr %pc
  %d = fsub float %v, %w
  %sum.next = fadd float %sum, %d
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %latch
latch:
  %q.next = add nuw nsw i32 %q, 1
  %more = icmp slt i32 %q.next, %m
  br i1 %more, label %outer, label %end
end:
  %t64 = zext nneg i32 %t to i64
  %py = getelementptr inbounds float, ptr %y, i64 %t64
  store float %sum.next, ptr %py
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
