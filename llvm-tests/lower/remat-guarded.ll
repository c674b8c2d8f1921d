; Sums in memory, whose addresses each lane works out only if it is there: behind the passes they are made again
; for all lanes, without the promises that hold for lanes that are there.
; Lanes along x begin apart in the rows of b: in the short strip their addresses are unknown to LLVM, which would
; otherwise keep numbers that only it needs in registers through all strips.
; Before all that, the second pair of arrays that must be apart is tested behind a branch of its own.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=2x2x1>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix PLAN
; PLAN: merge 2x2x1 blocks, consecutive along y, replicas apart
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=2x2x1>,verify' -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=2x2x1>,verify,default<O3>' -S %s | %FileCheck %s --check-prefix O3
; CHECK: mesi.test:
; CHECK: %[[FIRST:.*]] = call i32 asm "mov.b32 $0, $1;"
; CHECK-NEXT: %[[GOES_ON:.*]] = icmp ne i32 %[[FIRST]], 0
; CHECK-NEXT: br i1 %[[GOES_ON]], label %mesi.facts, label %entry
; CHECK: br i1 %{{.*}}, label %mesi.setup, label %entry, !mesi.dispatch
; CHECK: mesi.rest{{[0-9]*}}:
; CHECK: %[[SHORT:.*]] = call ptr addrspace(3) asm "mov.b64 $0, $1;", "=l,l,r"(ptr addrspace(3) %{{.*}}, i32 %[[SLOT:.*]])
; CHECK: call ptr addrspace(3) asm "mov.b64 $0, $1;", "=l,l,r"(ptr addrspace(3) %{{.*}}, i32 %[[SLOT]])
; CHECK: call i32 asm "mov.u32 $0, %tid.x;"
; What only the block's number decides is made again too.
; CHECK: call i32 asm "mov.u32 $0, %ctaid.x;"
; CHECK: %[[PRODUCT:.*]] = mul i32 %n, %{{.*}}
; CHECK: %[[INDEX:.*]] = add i32 %[[PRODUCT]], %{{.*}}
; CHECK-NEXT: %[[WIDE:.*]] = sext i32 %[[INDEX]] to i64
; CHECK-NEXT: %[[AT:.*]] = getelementptr float, ptr %c, i64 %[[WIDE]]
; CHECK: store float %{{.*}}, ptr %[[AT]]
; O3: call i32 asm "mov.u32 $0, %tid.y;"
; O3: %[[INDEX:.*]] = sext i32 %{{.*}} to i64
; O3: %[[AT:.*]] = getelementptr float, ptr %c, i64 %[[INDEX]]
; O3: store float %{{.*}}, ptr %[[AT]]
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @product(ptr %a, ptr %b, ptr %c, float %beta, i32 %n, i32 %k) {
entry:
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first.x = mul i32 %bx, %nx
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %j = add i32 %first.x, %tx
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %first.y = mul nuw nsw i32 %by, %ny
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %i = add nuw nsw i32 %first.y, %ty
  %below.x = icmp slt i32 %j, %n
  %below.y = icmp slt i32 %i, %n
  %inside = and i1 %below.x, %below.y
  br i1 %inside, label %there, label %end

there:
  %row = mul nsw i32 %n, %i
  %cell = add nsw i32 %row, %j
  %cell64 = sext i32 %cell to i64
  %at = getelementptr inbounds float, ptr %c, i64 %cell64
  %before = load float, ptr %at, align 4
  %start = fmul contract float %beta, %before
  store float %start, ptr %at, align 4
  %some = icmp sgt i32 %k, 0
  br i1 %some, label %rows, label %end

rows:
  %row.a = mul nuw nsw i32 %k, %i
  %row.b = mul nsw i32 %k, %j
  br label %loop

loop:
  %sum = phi float [ %start, %rows ], [ %next, %loop ]
  %p = phi i32 [ 0, %rows ], [ %p.next, %loop ]
  %ia = add nuw nsw i32 %p, %row.a
  %ia64 = zext nneg i32 %ia to i64
  %pa = getelementptr inbounds nuw float, ptr %a, i64 %ia64
  %va = load float, ptr %pa, align 4
  %ib = add nsw i32 %p, %row.b
  %ib64 = sext i32 %ib to i64
  %pb = getelementptr inbounds float, ptr %b, i64 %ib64
  %vb = load float, ptr %pb, align 4
  %product = fmul contract float %va, %vb
  %next = fadd contract float %sum, %product
  store float %next, ptr %at, align 4
  %p.next = add nuw nsw i32 %p, 1
  %last = icmp eq i32 %p.next, %k
  br i1 %last, label %end, label %loop

end:
  ret void
}
