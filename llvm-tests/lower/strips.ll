; The matrix product. The entry tests facts and branches once; the original stands untouched behind it.
; The staged body: a barrier (c may be a or b), then full strips of copy, barrier, 32 steps from the
; tiles, barrier; then the same once for what is left, without the last barrier. The inner loop of a
; full strip has a constant trip count and is to be unrolled; the loop with barriers must not be.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=off;overlap=off>' -S %S/../plugin/mm.ll | %FileCheck %s
; CHECK: @mesi.tiles.mm = internal unnamed_addr addrspace(3) global [8704 x i8] poison, align 16
; CHECK-LABEL: define ptx_kernel void @mm
; CHECK: mesi.entry:
; CHECK-NOT: {{barrier|addrspace\(3\)}}
; The original, as it was.
; CHECK: entry:
; CHECK: loop:
; CHECK-NEXT: %k = phi i32 [ 0, %head ], [ %k.next, %loop ]
; CHECK: %av = load float, ptr %ap, align 4
; CHECK: %bv = load float, ptr %bp, align 4
; CHECK: %sum.next = fadd contract float %sum, %m
; CHECK: store float %sum.next, ptr %cp, align 4
; CHECK: mesi.test:
; CHECK-NOT: {{ load|barrier|addrspace\(3\)}}
; CHECK: br i1 {{.*}}, label %mesi.setup, label %entry, !mesi.dispatch
; CHECK-COUNT-2: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier
; CHECK-NOT: load float, ptr %
; CHECK: load float, ptr addrspace(3)
; CHECK-NEXT: mul
; CHECK: load float, ptr addrspace(3)
; CHECK: call float @llvm.fmuladd.f32(
; CHECK: br i1 {{.*}}, !llvm.loop [[FULL:![0-9]+]]
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier
; CHECK: br i1 {{.*}}, !llvm.loop [[STRIPS:![0-9]+]]
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier
; CHECK-NOT: load float, ptr %
; CHECK-COUNT-2: load float, ptr addrspace(3)
; CHECK-NOT: barrier.cta
; CHECK: store float {{.*}}, ptr %
; CHECK-NOT: {{ load |call void @llvm.nvvm.barrier}}
; CHECK: attributes {{.*}} convergent {{.*}}"mesi.staged"="4"
; CHECK: [[FULL]] = distinct !{[[FULL]], [[UNROLL:![0-9]+]]}
; CHECK: [[UNROLL]] = !{!"llvm.loop.unroll.full"}
; CHECK: [[STRIPS]] = distinct !{[[STRIPS]], [[KEEP:![0-9]+]]}
; CHECK: [[KEEP]] = !{!"llvm.loop.unroll.disable"}
