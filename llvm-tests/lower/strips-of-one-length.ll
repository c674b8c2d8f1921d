; Strips that grow where blocks are small, in so little memory that all of them are 4 iterations long: rows are
; one piece then, and none is padded. What a slot takes was counted so, while rows were padded as those of
; strips whose length the block decides, and slots lay over one another. Found by a random kernel.
; Rows that are written back have no strips for the blocks of one warp, which would be longer.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;shared=8192>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=PLAN
; PLAN: loop0 in strips of 4, depth 2, 4 depth 4 if they fit
; PLAN: fact: {{.*}} <= 64*ntid.x <= 8192
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;shared=8192>,verify' -S %s | %FileCheck %s
; The second tile begins 16 bytes a thread further on, and a thread's row is 4 cells.
; CHECK: select i1 %{{.*}}, i32 4, i32 2
; CHECK: %[[THREADS:.*]] = trunc i64 %{{.*}} to i32
; CHECK-NEXT: %[[CELLS:.*]] = mul nsw i32 %[[THREADS]], 4
; CHECK-NEXT: %[[BYTES:.*]] = mul nsw i32 %[[CELLS]], 4
; CHECK-NEXT: %[[END:.*]] = add nsw i32 %[[BYTES]], 15
; CHECK-NEXT: and i32 %[[END]], -16
; CHECK-NEXT: mul nsw i32 %{{.*}}, 4
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @rows(ptr noalias %a, ptr noalias %b, ptr noalias %out, i32 %n) #0 {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %before, label %exit

before:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nuw nsw i32 %n, %tid
  br label %loop

loop:
  %k = phi i32 [ 0, %before ], [ %next, %loop ]
  %at = add nuw nsw i32 %k, %row
  %wide = zext nneg i32 %at to i64
  %pa = getelementptr inbounds nuw i32, ptr %a, i64 %wide
  %x = load i32, ptr %pa, align 4
  %pb = getelementptr inbounds nuw i32, ptr %b, i64 %wide
  %y = load i32, ptr %pb, align 4
  %product = mul i32 %y, %x
  %po = getelementptr inbounds nuw i32, ptr %out, i64 %wide
  store i32 %product, ptr %po, align 4
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
