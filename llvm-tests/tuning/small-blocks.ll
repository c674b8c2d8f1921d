; A product whose launch bounds keep blocks to 256 threads has one version more: strips of 32, for blocks up to 16x16.
; Blocks of another shape, and kernels whose blocks may be larger, are served as without it.
; RUN: sed 's/^attributes #0 = {/& "nvvm.maxntid"="256"/' %S/../plugin/mm.ll | %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output - 2>&1 | %FileCheck %s
; RUN: sed 's/^attributes #0 = {/& "nvvm.maxntid"="512"/' %S/../plugin/mm.ll | %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output - 2>&1 | %FileCheck %s --check-prefix LARGER
; RUN: sed 's/^attributes #0 = {/& "nvvm.maxntid"="256"/' %S/../plugin/mm.ll | %opt -load-pass-plugin %mesi -passes='print<mesi-plan;strip=8>' -disable-output - 2>&1 | %FileCheck %s --check-prefix LARGER
; CHECK: merge 4x4x1 blocks
; CHECK: in strips of 32, depth 2
; CHECK: fact: {{.*}} <= 4*ntid.y <= 64
; CHECK: fact: {{.*}} <= 4*ntid.x <= 64
; CHECK: else version 1
; CHECK-NEXT: merge 4x4x1 blocks
; CHECK: in strips of 16, depth 2
; CHECK: fact: {{.*}} <= 4*ntid.y <= 128
; LARGER: merge 4x4x1 blocks
; LARGER-NOT: in strips of 32
; LARGER: else version
