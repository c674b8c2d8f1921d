; What short windows run is a version of its own; launches are not sure to gain by it with many small
; blocks and windows of one element with clamps, with little work in a block without.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate>' -disable-output %S/../plan/short-clamped.ll 2>&1 | %FileCheck %s --check-prefix=CLAMPED
; CLAMPED: icmp uge i32 %{{.*}}, 7920
; CLAMPED: icmp uge i32 %{{.*}}, 128
; CLAMPED: icmp uge i32 %{{.*}}, 2{{$}}
; CLAMPED: icmp sle i64 6398944, %
; CLAMPED: icmp uge i32 %{{.*}}, %
; CLAMPED: ret i1 false
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate>' -disable-output %S/../plan/short.ll 2>&1 | %FileCheck %s --check-prefix=PLAIN
; PLAIN: icmp uge i32 %{{.*}}, 3168
; PLAIN: ret i1 false
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<form=own>,verify' -S %S/../plan/short-clamped.ll | %FileCheck %s --check-prefix=BOTH
; BOTH: define {{.*}}$mesi$1"(
; BOTH: br i1 true, label %mesi.setup{{[0-9]*}}, label %{{[a-z]+}},
