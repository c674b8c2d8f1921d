; The matrix product, both operands strip by strip in tiles of 32. `a` is read down rows by threads of
; a column: its rows are padded by 16 bytes. `b` is read along rows: no padding. The guard's bounds
; limit what is copied; `c`, written after the loop, may be either array, so a barrier comes first.
; The strip option sets the strip's length, `block` (or annotate) the cap that pitches are made for.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;depth=1;merge=off>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s
; CHECK: region0: {{.*}}loop0 in strips of 32, depth 1, after a barrier
; CHECK-NEXT: tile0: array0 a, unit 4, 1152 cells at byte 0
; CHECK-NEXT: rest 4*ctaid.y*ntid.y*s0
; CHECK-NEXT: dim stride 4*s0: tid.y, offsets 0..0, extent ntid.y, pitch 36
; CHECK-NEXT: dim stride 4: iter(loop0), offsets 0..0, extent 32, pitch 1
; CHECK-NEXT: reads {{.*}} tid.x <= -ctaid.x*ntid.x + s0 - 1, tid.y <= -ctaid.y*ntid.y + s0 - 1
; CHECK: tile1: array1 b, unit 4, 1024 cells at byte 4608
; CHECK-NEXT: rest 4*ctaid.x*ntid.x
; CHECK-NEXT: dim stride 4*s0: iter(loop0), offsets 0..0, extent 32, pitch 32
; CHECK-NEXT: dim stride 4: tid.x, offsets 0..0, extent ntid.x, pitch 1
; The pitches hold up to 32 threads a side; the trip count and the index arithmetic are tested too.
; CHECK-DAG: fact: {{.*}} <= ntid.x <= 32
; CHECK-DAG: fact: {{.*}} <= ntid.y <= 32
; CHECK-DAG: fact: 0 <= s0 - 1 <= 2147483647
; CHECK-DAG: fact: -2147483648 <= tid.x + ctaid.x*ntid.x <= 2147483647
; CHECK: shared: 8704 bytes
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;overlap=off;strip=8;block=16x4;merge=off>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s -check-prefix=SMALL
; SMALL: loop0 in strips of 8
; SMALL: tile0: array0 a, unit 4, 48 cells at byte 0
; SMALL: tid.y, {{.*}} pitch 12
; SMALL: tile1: array1 b, unit 4, 128 cells at byte 192
; SMALL-DAG: fact: {{.*}} <= ntid.x <= 16
; SMALL-DAG: fact: {{.*}} <= ntid.y <= 4
