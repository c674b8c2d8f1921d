; The versions of a product, from the largest grids to the smallest: 16 lanes, 8, 2. None of them says which launches gain by it but as what the
; model is sure of.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %S/../plugin/mm.ll 2>&1 | %FileCheck %s
; CHECK: merge 4x4x1 blocks
; CHECK: loop0 in strips of 16, depth 2
; CHECK: else version
; CHECK-NEXT: merge 2x4x1 blocks
; CHECK: else version
; CHECK-NEXT: merge 1x2x1 blocks
; CHECK: pays: 216 <= nctaid.x*nctaid.y{{$}}
; CHECK: pays: {{[0-9]+}} <= trip(loop0){{$}}
; CHECK-NOT: else version
