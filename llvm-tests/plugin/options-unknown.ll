; An unknown option is one line that lists the valid ones, and exit status 1; nothing is written.
; RUN: rm -f %t.out && %not %opt -load-pass-plugin %mesi -passes='mesi<forse>' -S -o %t.out %S/mm.ll > %t.err 2>&1
; RUN: test ! -s %t.out
; RUN: %FileCheck %s -check-prefix=PARAMETER < %t.err && test $(wc -l < %t.err) = 1
; PARAMETER: error: mesi: unknown parameter 'forse'; valid are: disable, force, only, fuel, block, strip, depth, overlap, width, shared, merge, code, unroll-jam, unroll, launch, keep-rolled, form, kernels, reshape, verify{{$}}
; RUN: MESI_FORSE=1 %not %opt -load-pass-plugin %mesi -passes=mesi -disable-output %S/mm.ll > %t.err 2>&1
; RUN: %FileCheck %s -check-prefix=ENV < %t.err && test $(wc -l < %t.err) = 1
; ENV: error: mesi: unknown environment variable MESI_FORSE; valid are: MESI_DISABLE, MESI_FORCE, MESI_ONLY, MESI_FUEL, MESI_BLOCK, MESI_STRIP, MESI_DEPTH, MESI_OVERLAP, MESI_WIDTH, MESI_SHARED, MESI_MERGE, MESI_CODE, MESI_UNROLL_JAM, MESI_UNROLL, MESI_LAUNCH, MESI_KEEP_ROLLED, MESI_FORM, MESI_KERNELS, MESI_RESHAPE, MESI_VERIFY{{$}}
; RUN: %not %opt -load-pass-plugin %mesi -mesi-forse -passes=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=FLAG
; FLAG: Unknown command line argument '-mesi-forse'.
; FLAG-NEXT: Did you mean '--mesi-force'?
; A stage that cannot be printed.
; RUN: %not %opt -load-pass-plugin %mesi -passes='print<mesi-plans>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=STAGE
; STAGE: error: mesi: print<mesi-plans>: expected a stage: kernel, tree, accesses, affine, plan
