; The blocks inside run the loop without its test and without clamps, all lanes together; the others run
; the original. Where the facts are many, a branch before them turns away the launches that gain nothing.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<only=edges>,verify' -S %S/../plan/register-window-interior.ll | %FileCheck %s
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<only=clamped>,verify' -S %S/../plan/register-window-interior.ll | %FileCheck %s --check-prefix=CLAMPED
; CHECK: define ptx_kernel void @edges
; CHECK: br i1 {{.*}}, label %mesi.setup, label %entry, !mesi.dispatch
; CHECK: mesi.slide:
; CHECK-NOT: {{icmp|select|load float, ptr %px}}
; CHECK-COUNT-2: load float, ptr {{.*}}, align 4
; CHECK: load <4 x float>, ptr addrspace(3) {{.*}}, align 16
; CHECK: br i1 {{.*}}, label %mesi.slide, label %mesi.rest, !llvm.loop
; CLAMPED: define ptx_kernel void @clamped
; CLAMPED: mesi.slide:
; CLAMPED-NOT: call i32 @llvm.s
; CLAMPED: br i1 {{.*}}, label %mesi.slide, label %mesi.rest, !llvm.loop
; CLAMPED: mesi.rest:
; CLAMPED-NOT: call i32 @llvm.s
; CLAMPED: mesi.wide:
