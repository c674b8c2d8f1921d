; Two blocks merged along y serve blocks of up to 128 threads along x, which no other version serves: the rows of their tiles are longer
; than those of 32x32 need, in shared memory that larger versions take anyway. Others, whose blocks are told, have the usual rows.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;form=own;reshape=off;launch=4x32:128x2:_:_:_:64:512:64+8x16:64x4:_:_:_:64:512:64+2x32:256x2:_:_:_:64:512:64>' -disable-output %S/fits.ll 2>&1 | %FileCheck %s
; CHECK: else version 1
; CHECK: fact: {{.*}} <= 2*ntid.x <= 64
; CHECK: else version 2
; CHECK-NEXT: merge 1x2x1 blocks
; CHECK: tile1: array1 B, unit 2, 2048 cells
; CHECK: dim stride 2*s1: iter(loop0), offsets 0..0, extent 16, pitch 128
; CHECK: fact: {{.*}} <= ntid.x <= 128
; CHECK: launch 4x32x1:128x2x1:_:_:_:64:512:64: version 2
; CHECK: launch 8x16x1:64x4x1:_:_:_:64:512:64: version 2
; CHECK: launch 2x32x1:256x2x1:_:_:_:64:512:64: original
;
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;strip=16>' -disable-output %S/fits.ll 2>&1 | %FileCheck %s --check-prefix=TOLD
; TOLD: else version 2
; TOLD: fact: {{.*}} <= ntid.x <= 32
