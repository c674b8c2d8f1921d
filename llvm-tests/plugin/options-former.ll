; A former name does what the new one does, with one line that says the new one.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<form=inside>' -S -o %t.new.ll %S/mm.ll 2> %t.new.err && test ! -s %t.new.err
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<host=off>' -S -o %t.old.ll %S/mm.ll 2> %t.old.err && cmp %t.new.ll %t.old.ll
; RUN: %FileCheck %s < %t.old.err && test $(wc -l < %t.old.err) = 1
; CHECK: warning: {{.*}}mesi: option host is now form; the former name goes with the next release
