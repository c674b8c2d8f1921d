; Two loops one after the other: two regions, whose tiles lie in the same bytes. Two arrays of one loop
; share its region, each tile with bytes of its own.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: region0: {{.*}}loop0 in strips of 32
; CHECK-NEXT: tile0: array0 a, unit 4, 32 cells at byte 0
; CHECK: tile1: array1 b, unit 8, 32 cells at byte 128
; CHECK: region1: {{.*}}loop1 in strips of 32
; CHECK-NEXT: tile2: array2 c, unit 4, 32 cells at byte 0
; CHECK: shared: 384 bytes
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @two(ptr noalias %a, ptr noalias %b, ptr noalias %c, ptr noalias %y, i32 %n) #0 {
entry:
  br label %one
one:
  %k = phi i32 [ 0, %entry ], [ %next, %one ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %one ]
  %k64 = zext nneg i32 %k to i64
  %pa = getelementptr inbounds float, ptr %a, i64 %k64
  %u = load float, ptr %pa
  %pb = getelementptr inbounds double, ptr %b, i64 %k64
  %d = load double, ptr %pb
  %v = fptrunc double %d to float
  %uv = fmul float %u, %v
  %sum.next = fadd float %sum, %uv
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %one, label %two
two:
  %l = phi i32 [ 0, %one ], [ %l.next, %two ]
  %more = phi float [ %sum.next, %one ], [ %more.next, %two ]
  %l64 = zext nneg i32 %l to i64
  %pc = getelementptr inbounds float, ptr %c, i64 %l64
  %w = load float, ptr %pc
  %more.next = fadd float %more, %w
  %l.next = add nuw nsw i32 %l, 1
  %l.again = icmp slt i32 %l.next, %n
  br i1 %l.again, label %two, label %end
end:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %more.next, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
