; Neighbouring blocks of a product done by one: tiles as wide as all of them, zero-filled because every
; lane reads them, facts at both ends where ids are not the global id, the unmerged plan behind.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=4x2;overlap=off>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s
; CHECK: plan of mm
; CHECK-NEXT: merge 4x2x1 blocks, consecutive along x, consecutive along y
; CHECK-NEXT: access2 stores 4 replicas along x at once if aligned
; CHECK-NEXT: in strips of 16, depth 1
; CHECK-NEXT: array0 a, unit 4, 1280 cells at byte 0, zero-filled
; CHECK: dim stride 4*s0: tid.y, offsets 0..0, extent 2*ntid.y, pitch 20
; CHECK: array1 b, unit 4, 2048 cells at byte 5120, zero-filled
; CHECK: dim stride 4: tid.x, offsets 0..0, extent 4*ntid.x, pitch 1
; CHECK: fact: -2147483648 <= 4*ntid.x <= 128
; CHECK: else version 1
; CHECK-NOT: merge
; CHECK: extent ntid.y
