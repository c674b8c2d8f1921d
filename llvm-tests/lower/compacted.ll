; The grid's first blocks lead: a block's number says which group is its own, and blocks that have none end.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<only=product;merge=2x4>,verify' -S %S/../plan/compacted.ll | %FileCheck %s
; CHECK: define ptx_kernel void @product
; CHECK: br i1 %{{[0-9]+}}, label %mesi.setup, label %entry
; CHECK: mesi.setup:
; CHECK: %[[ACROSS:[0-9]+]] = lshr i32 %{{[0-9]+}}, 1
; CHECK: %[[DOWN:[0-9]+]] = lshr i32 %{{[0-9]+}}, 2
; CHECK: %[[X:[0-9]+]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: %[[OWN:[0-9]+]] = add i32 %{{[0-9]+}}, %[[X]]
; CHECK: %[[ALL:[0-9]+]] = mul nsw i32 %[[ACROSS]], %[[DOWN]]
; CHECK: %[[LEADS:[0-9]+]] = icmp slt i32 %[[OWN]], %[[ALL]]
; CHECK: br i1 %[[LEADS]], label %mesi.lead, label %mesi.follow
; CHECK: mesi.lead:
; CHECK: %[[ROW:[0-9]+]] = udiv i32 %[[OWN]], %[[ACROSS]]
; CHECK: %[[COL:[0-9]+]] = sub i32 %[[OWN]]
; CHECK: mul nsw i32 %[[COL]], 2
; CHECK: mul nsw i32 %[[ROW]], 4
; Along y alone the grid's first rows do.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<only=product;merge=1x2>,verify' -S %S/../plan/compacted.ll | %FileCheck %s --check-prefix=ONE
; ONE: define ptx_kernel void @product
; ONE: br i1 %{{[0-9]+}}, label %mesi.setup, label %entry
; ONE: mesi.setup:
; ONE: %[[GROUPS:[0-9]+]] = lshr i32 %{{[0-9]+}}, 1
; ONE: %[[Y:[0-9]+]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
; ONE: icmp slt i32 %[[Y]], %[[GROUPS]]
; ONE: mesi.lead:
; ONE: mul nsw i32 %[[Y]], 2
; Elsewhere a group's own first block does.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<only=apart;merge=2x4>,verify' -S %S/../plan/compacted.ll | %FileCheck %s --check-prefix=APART
; APART: define ptx_kernel void @apart
; APART: and i32 %{{[0-9]+}}, -4
; APART: mesi.lead:
