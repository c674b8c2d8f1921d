; What short windows run stands in for the original in the kernel, in all launches; the host sends those that it is no gain for to the original's clone: of small
; blocks with clamps, all without.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate>' -disable-output %S/../plan/short-clamped.ll 2>&1 | %FileCheck %s --check-prefix=CLAMPED
; CLAMPED: icmp uge i32 %{{.*}}, 128
; CLAMPED: ret i1 false
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate>' -disable-output %S/../plan/short.ll 2>&1 | %FileCheck %s --check-prefix=PLAIN
; PLAIN: icmp uge i32 %{{.*}}, 1025
; PLAIN: ret i1 false
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<host>,verify' -S %S/../plan/short-clamped.ll | %FileCheck %s --check-prefix=BOTH
; BOTH: br i1 true, label %mesi.setup{{[0-9]*}}, label %{{[a-z]+}}{{$}}
; BOTH: define {{.*}}$original"(
