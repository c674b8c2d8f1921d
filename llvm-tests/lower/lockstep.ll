; Merged blocks without tiles: no barrier, no shared memory; with all lanes inside, fourteen loads and four
; stores stand in a row; where lanes disagree, the original's work is done in a loop over the lanes.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;shared=0;merge=1x4>,verify' -S %S/../plan/lockstep.ll | %FileCheck %s
; CHECK-NOT: addrspace(3)
; CHECK: define ptx_kernel void @five(
; CHECK-NOT: barrier
; CHECK: entry:
; CHECK-COUNT-5: load float
; CHECK-NOT: load
; CHECK: br i1 %{{.*}}, label %mesi.lead, label %mesi.follow
; CHECK: mesi.follow:
; CHECK-NEXT: ret void
; CHECK: br i1 %{{.*}}, label %mesi.fast, label %mesi.slow
; CHECK: mesi.fast:
; CHECK: br i1 %{{.*}}, label %mesi.then, label %mesi.differ
; CHECK: mesi.slow:
; CHECK-NEXT: br label %mesi.lane
; CHECK: mesi.then:
; CHECK-COUNT-14: load float
; CHECK-NOT: load
; CHECK-COUNT-4: store float
; CHECK: mesi.differ:
; CHECK-NEXT: br i1 %{{.*}}, label %mesi.slow, label %mesi.else
; CHECK: mesi.lane:
; CHECK-COUNT-5: load float
; CHECK-NOT: load
; CHECK: store float
; CHECK: br i1 %{{.*}}, label %mesi.lane, label %mesi.done{{.*}} !llvm.loop [[LANES:![0-9]+]]
; CHECK-NOT: load
; CHECK: "nvvm.maxnreg"="32"
; With so few all of a multiprocessor's threads fit it. Where it holds fewer, as many fit with more.
; RUN: sed 's/sm_90/sm_86/' %S/../plan/lockstep.ll | %opt -load-pass-plugin %mesi -passes='mesi<force;shared=0;merge=1x4>,verify' -S - | %FileCheck %s --check-prefix=FEWER
; FEWER: "nvvm.maxnreg"="40"
; RUN: sed 's/sm_90/sm_75/' %S/../plan/lockstep.ll | %opt -load-pass-plugin %mesi -passes='mesi<force;shared=0;merge=1x4>,verify' -S - | %FileCheck %s --check-prefix=HALF
; HALF: "nvvm.maxnreg"="64"
; What does not change from lane to lane stays in the loop.
; CHECK: [[LANES]] = distinct !{[[LANES]], {{.*}}[[LICM:![0-9]+]]}
; CHECK: [[LICM]] = !{!"llvm.licm.disable"}
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;shared=0;merge=1x4>' -pass-remarks=mesi -disable-output %S/../plan/lockstep.ll 2>&1 | %FileCheck %s -check-prefix=REMARK
; REMARK: remark: {{.*}}: merged 4 blocks of five, nothing staged: 20 loads of all replicas, 14 addresses
