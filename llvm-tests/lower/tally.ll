; A tally: cells are filled, a barrier; four turns' loads stand together, then the atomics on shared memory;
; a barrier, and what was added to goes to global memory once.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>,verify' -S %S/../plan/tally.ll | %FileCheck %s
; CHECK: define ptx_kernel void @counts(
; CHECK: br i1 %{{.*}}, label %mesi.lead, label %mesi.follow
; CHECK: mesi.cells:
; CHECK: store i32 0, ptr addrspace(3)
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: mesi.turn:
; CHECK: mesi.then{{[0-9]*}}:
; CHECK-COUNT-4: load i8
; CHECK-COUNT-4: atomicrmw add ptr addrspace(3) %{{.*}}, i32 1 monotonic
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: load i32, ptr addrspace(3)
; CHECK-NEXT: icmp ne i32 %{{.*}}, 0
; CHECK: atomicrmw add ptr %{{.*}}, i32 %{{.*}} seq_cst
; CHECK: "mesi.staged"="2"
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -pass-remarks=mesi -disable-output %S/../plan/tally.ll 2>&1 | %FileCheck %s -check-prefix=REMARK
; REMARK: remark: {{.*}}: staged 'bins' in counts: 1024 bytes of shared memory in the kernel, 2 barriers, 256 cells
