; Three strips in flight, by one loop. Its first two passes only fetch; then each has one wait, one
; barrier, the copies of the strip two further on, which go to the slot of the strip before, and the use
; of a strip. Every pass closes a group, so the wait leaves one group under way.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=1;depth=3>' -S %S/../plugin/mm.ll | %FileCheck %s
; CHECK: @mesi.tiles.mm = internal unnamed_addr addrspace(3) global [26112 x i8] poison, align 16
; The original, as it was.
; CHECK: entry:
; CHECK-NOT: cp.async
; CHECK: br i1 {{.*}}, label %mesi.setup, label %entry, !mesi.dispatch
; `c`, written after the loop, may be either array.
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier
; CHECK: mesi.strip
; CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 1)
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier
; CHECK-NOT: barrier.cta
; A full strip, by pieces of either width. One loop copies a piece of each tile in a turn, another two elements of
; each, by steps that are opaque: their multiples are not kept in registers.
; A short strip that lacks whole pieces goes the same way.
; CHECK: mesi.quick
; CHECK: mesi.short
; Any strip, by an odometer: one loop copies the elements of a piece at the end of a row, and single ones.
; CHECK: mesi.whole
; CHECK: call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %{{.*}}, ptr addrspace(1) %{{.*}})
; CHECK: mesi.cell
; CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4(
; CHECK: mesi.turn
; CHECK-COUNT-2: call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %{{[^,]*}}, ptr addrspace(1) %{{[^,]*}})
; CHECK: mesi.turn
; CHECK: call i64 asm "mov.b64 $0, $1;", "=l,l,r"
; CHECK-COUNT-4: call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %{{[^,]*}}, ptr addrspace(1) %{{[^,]*}})
; CHECK-NOT: {{^mesi.turn}}
; Its use: a full one, unrolled, or what is left, rolled.
; CHECK: load float, ptr addrspace(3)
; CHECK: call float @llvm.fmuladd.f32(
; CHECK: br i1 {{.*}}, !llvm.loop [[FULL:![0-9]+]]
; CHECK: load float, ptr addrspace(3)
; CHECK: br i1 {{.*}}, !llvm.loop [[REST:![0-9]+]]
; CHECK-NOT: {{call .*(barrier.cta|cp.async)}}
; CHECK: attributes {{.*}} convergent {{.*}}"mesi.staged"="2"
; Elements only, where width is off: nothing is cut, as no piece is longer than an element.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=1;depth=2;width=off>' -S %S/../plugin/mm.ll | %FileCheck %s -check-prefix=NARROW
; NARROW-NOT: call {{.*}}cp.async.cg
; NARROW: call void @llvm.nvvm.cp.async.ca.shared.global.4(
; NARROW-NOT: call {{.*}}cp.async.cg
; Before sm_80: the next strip is loaded before a strip is used, and stored behind it. The barriers
; are the same.
; RUN: sed 's/sm_80/sm_75/g' %S/../plugin/mm.ll | %opt -load-pass-plugin %mesi -passes='mesi<force;merge=1;depth=2>' -S - | %FileCheck %s -check-prefix=OLD
; OLD: mesi.setup:
; OLD-NOT: cp.async
; OLD: mesi.rest
; RUN: sed 's/sm_80/sm_75/g' %S/../plugin/mm.ll | %opt -load-pass-plugin %mesi -passes='mesi<force;merge=1;depth=2>' -S - | sed -n '/mesi.strip/,$p' | %FileCheck %s -check-prefix=OLD-STRIP
; OLD-STRIP: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier
; OLD-STRIP-COUNT-8: = load i32, ptr addrspace(1)
; OLD-STRIP: = load float, ptr addrspace(3)
; OLD-STRIP: call float @llvm.fmuladd.f32(
; OLD-STRIP-NOT: barrier.cta
; OLD-STRIP-COUNT-8: store i32 %{{.*}}, ptr addrspace(3)
; OLD-STRIP: attributes {{.*}} convergent {{.*}}"mesi.staged"="2"
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=1;depth=3>' -S %S/../plugin/mm.ll | grep -c 'call void @llvm.nvvm.cp.async.commit' | grep -x 1
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force;merge=1;depth=3>' -S %S/../plugin/mm.ll | grep -c 'call void @llvm.nvvm.cp.async.wait' | grep -x 1
