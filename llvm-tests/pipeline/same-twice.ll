; Two runs write the same, and what is written passes the verifier and parses again.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>,verify' -S %S/../plugin/mm.ll -o %t.one.ll
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>,verify' -S %S/../plugin/mm.ll -o %t.two.ll
; RUN: cmp %t.one.ll %t.two.ll && %opt -passes='default<O3>' -disable-output %t.one.ll
