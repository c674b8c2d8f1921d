; Merged blocks: the pass that most strips take tests once, waits, meets, copies each tile's first piece and
; leads to the unrolled strip. All other passes have their own waiting and copying, and lead there too.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=4x4x1>,verify' -S %S/../plugin/mm.ll | %FileCheck %s
; CHECK: define ptx_kernel void @mm(
; CHECK: %[[STEADY:.*]] = icmp ult i32
; CHECK-NEXT: br i1 %[[STEADY]], label %[[MINE:mesi.steady[0-9]*]], label %[[OTHER:mesi.other[0-9]*]]
; CHECK: [[MINE]]:
; CHECK-NEXT: call void @llvm.nvvm.cp.async.wait.group(i32 0)
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: [[OTHER]]:
; CHECK: [[FULL:mesi.full[0-9]*]]:
; CHECK: br label %[[FULL]]
