; A fault of ours is an ordinary error that names kernel and stage: exit 1, no crash dump, no output.
; RUN: rm -f %t.out && %not %opt -load-pass-plugin %mesi -passes='mesi<panic-at=kernel>' -S -o %t.out %S/mm.ll > %t.err 2>&1
; RUN: test ! -s %t.out
; RUN: %FileCheck %s < %t.err && test $(wc -l < %t.err) = 1
; CHECK: error: mesi: internal error in kernel 'mm', stage kernel: asked for by panic-at=kernel (src{{.*}}.rs:{{[0-9]+}}); please report it, and leave the kernel out with
; RUN: %not %opt -load-pass-plugin %mesi -passes='mesi<panic-at=kernels>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=STAGE
; STAGE: error: mesi: 'panic-at=kernels': expected a stage: kernel, tree, accesses, affine, plan, gate, lower, check
; Each stage up to the last announces itself.
; RUN: for stage in kernel tree accesses affine plan; do \
; RUN:   %not %opt -load-pass-plugin %mesi -passes="mesi<force;panic-at=$stage>" -disable-output %S/mm.ll > %t.err 2>&1; \
; RUN:   grep "in kernel 'mm', stage $stage: asked for" %t.err; done
; From there on a body is there to be taken away: a warning, and the kernel's own code.
; RUN: for stage in lower check; do \
; RUN:   %opt -load-pass-plugin %mesi -passes="mesi<force;panic-at=$stage>" -S %S/mm.ll -o %t.ll 2> %t.err || exit 1; \
; RUN:   grep "warning: .*in kernel 'mm', stage $stage: asked for" %t.err || exit 1; \
; RUN:   %FileCheck %s -check-prefix=KEPT < %t.ll || exit 1; done
; KEPT: define ptx_kernel void @mm(
; KEPT-NEXT: entry:
; KEPT-NOT: mesi.
; KEPT: ret void
; KEPT-NEXT: }
