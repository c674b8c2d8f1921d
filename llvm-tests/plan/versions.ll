; The versions of a product, from the largest grids to the smallest: 16 lanes, 8, 2. The last serves any grid of
; small blocks, and large blocks if there is one for each multiprocessor.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s
; CHECK: merge 4x4x1 blocks
; CHECK: loop0 in strips of 16, depth 2
; CHECK: else version
; CHECK-NEXT: merge 2x4x1 blocks
; CHECK: else version
; CHECK-NEXT: merge 1x2x1 blocks
; CHECK: fact: -9223372036854775808 <= 108*ntid.x*ntid.y*ntid.z - 768*nctaid.x*nctaid.y*nctaid.z <= 27648
; CHECK-NOT: else version
