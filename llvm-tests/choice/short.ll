; What short windows run stands in for the original in the kernel, in all launches; the host sends those that it is no gain for to the original's clone: many small
; blocks and windows of one element with clamps, little work in a block without.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate>' -disable-output %S/../plan/short-clamped.ll 2>&1 | %FileCheck %s --check-prefix=CLAMPED
; CLAMPED: icmp uge i32 %{{.*}}, 7920
; CLAMPED: icmp uge i32 %{{.*}}, 128
; CLAMPED: icmp uge i32 %{{.*}}, 2{{$}}
; CLAMPED: icmp sle i64 6398944, %
; CLAMPED: icmp uge i32 %{{.*}}, %
; CLAMPED: ret i1 false
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-gate>' -disable-output %S/../plan/short.ll 2>&1 | %FileCheck %s --check-prefix=PLAIN
; PLAIN: icmp uge i32 %{{.*}}, 3168
; PLAIN: [[MUCH:%[0-9]+]] = icmp uge i32 %{{.*}}, 2048
; PLAIN: [[FIVE:%[0-9]+]] = icmp uge i32 %
; PLAIN: [[ALL:%[0-9]+]] = and i1 [[MUCH]], [[FIVE]]
; PLAIN-NEXT: [[SURE:%[0-9]+]] = freeze i1 [[ALL]]
; PLAIN-NEXT: br i1 [[SURE]], label %[[RUNS:[0-9]+]], label %[[TURNED:[0-9]+]]
; PLAIN: {{^}}[[RUNS]]:
; PLAIN-NEXT: br i1 true, label %runs,
; PLAIN: {{^}}[[TURNED]]:
; PLAIN-NEXT: br i1 true, label %refuses,
; PLAIN: ret i1 false
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<host>,verify' -S %S/../plan/short-clamped.ll | %FileCheck %s --check-prefix=BOTH
; BOTH: br i1 true, label %mesi.host{{[0-9]*}}, label %mesi.turned{{[0-9]*}}{{$}}
; BOTH: br i1 true, label %mesi.setup{{[0-9]*}}, label %{{[a-z]+}},
; BOTH: define {{.*}}$original"(
