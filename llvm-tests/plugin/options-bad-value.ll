; A value that makes no sense is one line that says where it was given and what would be right.
; RUN: %not %opt -load-pass-plugin %mesi -passes='mesi<strip=0>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=STRIP
; STRIP: error: mesi: 'strip=0': expected a whole number from 1 to 4096
; RUN: %not %opt -load-pass-plugin %mesi -passes='mesi<code=1>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=CODE
; CODE: error: mesi: 'code=1': expected a whole number from 2 to 100
; RUN: %not %opt -load-pass-plugin %mesi -passes='mesi<block=2048>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=BLOCK
; BLOCK: error: mesi: 'block=2048': expected a block shape such as 16x16x1: x and y up to 1024, z up to 64, 1024 threads in all
; RUN: %not %opt -load-pass-plugin %mesi -mesi-shared=1M -passes=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=SHARED
; SHARED: error: mesi: -mesi-shared=1M: expected a whole number from 0 to 49152
; RUN: MESI_FORCE=maybe %not %opt -load-pass-plugin %mesi -passes=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=FORCE
; FORCE: error: mesi: MESI_FORCE=maybe: expected on or off
; RUN: %not %opt -load-pass-plugin %mesi -passes='mesi<only>' -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=ONLY
; ONLY: error: mesi: 'only': expected a name
