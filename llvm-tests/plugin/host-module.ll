; A module for anything but NVPTX comes out as it went in, wrong options included: they are the
; device side's to report, and only once.
; RUN: %opt -passes='default<O2>' -S %s -o %t.without.ll
; RUN: MESI_FORSE=1 %opt -load-pass-plugin %mesi -passes='default<O2>' -S %s -o %t.with.ll 2> %t.err
; RUN: cmp %t.without.ll %t.with.ll && test ! -s %t.err
target triple = "x86_64-unknown-linux-gnu"
define void @host(ptr %p) {
  store float 1.0, ptr %p
  ret void
}
