; A privatized: cells are filled, a barrier; a thread loads the bytes of sixteen turns at once if aligned, then come the atomics on shared memory;
; a barrier, and what was added to goes to global memory once.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>,verify' -S %S/../plan/privatize.ll | %FileCheck %s
; CHECK: define ptx_kernel void @counts(
; Nearly all blocks end with one comparison of their number with what the chip holds.
; CHECK: icmp slt i32 %{{.*}}, 432
; CHECK-NEXT: br i1 %{{.*}}, label %mesi.lead, label %mesi.follow
; CHECK: mesi.cells:
; CHECK: store i32 0, ptr addrspace(3)
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: mesi.turn:
; Elements that are ids: all of a thread's, or those that there are, one by one.
; CHECK: [[LAST:%.*]] = add nsw i32 [[FIRST:%.*]], 15
; CHECK-NEXT: [[ALL:%.*]] = icmp slt i32 [[LAST]], %n
; CHECK-NEXT: br i1 [[ALL]], label %mesi.fast, label %mesi.few
; CHECK: mesi.fast:
; CHECK-NOT: icmp slt i32 %{{.*}}, %n
; Aligned, and side by side.
; CHECK: and i64 %{{.*}}, 15
; CHECK: br i1 %{{.*}}, label %mesi.wide, label %mesi.each
; CHECK: mesi.few:
; CHECK-NEXT: [[SOME:%.*]] = icmp slt i32 [[FIRST]], %n
; CHECK-NEXT: br i1 [[SOME]], label %mesi.element, label %mesi.end
; CHECK: mesi.wide:
; CHECK-NEXT: load <4 x i32>, ptr %{{.*}}, align 16
; CHECK: mesi.each:
; CHECK-COUNT-16: load i8
; CHECK: mesi.loaded:
; CHECK-COUNT-16: atomicrmw add ptr addrspace(3) %{{.*}}, i32 1 monotonic
; CHECK: mesi.element:
; CHECK: load i8
; CHECK: atomicrmw add ptr addrspace(3) %{{.*}}, i32 1 monotonic
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; The copies of a cell are added up.
; CHECK: mesi.copies:
; CHECK-COUNT-4: load i32, ptr addrspace(3)
; CHECK: mesi.sum:
; CHECK-NEXT: icmp ne i32 %{{.*}}, 0
; CHECK: atomicrmw add ptr %{{.*}}, i32 %{{.*}} seq_cst
; Turns of blocks, in two dimensions: the first and the last lane tell that all are in range.
; CHECK: define ptx_kernel void @rows(
; CHECK: mesi.turn:
; CHECK: mesi.fast:
; CHECK: [[FIRST:%.*]] = icmp slt i32 %{{.*}}, %n
; CHECK-NEXT: [[LAST:%.*]] = icmp slt i32 %{{.*}}, %n
; CHECK: [[ALL:%.*]] = and i1 [[FIRST]], [[LAST]]
; CHECK: br i1 [[ALL]], label %mesi.then, label %mesi.differ
; CHECK: "mesi.staged"="2"
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -pass-remarks=mesi -disable-output %S/../plan/privatize.ll 2>&1 | %FileCheck %s -check-prefix=REMARK
; REMARK: remark: {{.*}}: staged 'bins' in counts: 32768 bytes of shared memory in the kernel, 2 barriers, 256 cells
