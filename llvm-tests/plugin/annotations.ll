; annotate("mesi.block=...") gives the block cap; an option beats it.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-kernel>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=SAID
; SAID: kernel plain
; SAID: block cap default
; SAID: kernel said
; SAID: block cap {{.*}}16{{.*}}16{{.*}}1
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-kernel;block=8x4x2>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=OPTION
; OPTION: kernel said
; OPTION: block cap {{.*}}8{{.*}}4{{.*}}2
target triple = "nvptx64-nvidia-cuda"
@text = private unnamed_addr constant [19 x i8] c"mesi.block=16,16,1\00", section "llvm.metadata"
@file = private unnamed_addr constant [5 x i8] c"k.cu\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @said, ptr @text, ptr @file, i32 1, ptr null }], section "llvm.metadata"
define ptx_kernel void @plain(ptr %p) #0 {
  store float 1.0, ptr %p
  ret void
}
define ptx_kernel void @said(ptr %p) #0 {
  store float 1.0, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
