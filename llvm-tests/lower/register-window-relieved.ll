; Behind windows' loops, and behind lanes' loops without tiles, what is needed is made again from the thread's and the block's
; numbers, read once more: 32 registers do not hold it beside the loops'.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<form=own>,verify' -S %S/../plan/register-window-unclamped.ll | %FileCheck %s
; CHECK: define ptx_kernel void @"clamped_window$mesi$0"
; CHECK: mesi.slide
; CHECK: call i32 asm "mov.u32 $0, %tid.x;", "=r,r,r"(i32 %{{.*}}, i32 %[[WINDOWS:.*]])
; CHECK: call i32 asm "mov.u32 $0, %ctaid.x;", "=r,r,r"(i32 %{{.*}}, i32 %[[WINDOWS]])
; CHECK: store <4 x float>
; CHECK: mesi.fast:
; CHECK: %[[LANES:.*]] = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %{{.*}})
; CHECK: call i32 asm "mov.u32 $0, %tid.x;", "=r,r,r"(i32 %{{.*}}, i32 %[[LANES]])
; CHECK: call i32 asm "mov.u32 $0, %ctaid.x;", "=r,r,r"(i32 %{{.*}}, i32 %[[LANES]])
; CHECK: store float
; Rows have registers left.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<only=weighted;unroll=1>,verify' -S %S/../plan/register-window.ll | %FileCheck %s --check-prefix ROWS
; ROWS: mesi.slide
; ROWS-NOT: "mov.u32 $0, %ctaid.x;"
; ROWS: attributes
