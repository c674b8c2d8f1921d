; The first branch of the entry goes straight to the original, which every version's test falls back to in the end,
; or to the body for short loops where there is one.
; Nothing rests on it, so blocks are multiplied in 32 bits, and each version tests what is more than it, threads as a product of
; two in 32 bits.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi,verify' -S %S/../plan/first.ll | %FileCheck %s
; CHECK: define ptx_kernel void @product
; CHECK: icmp uge i64 {{.*}}, 970944
; CHECK: br i1 {{.*}}, label %mesi.setup, label %entry, !mesi.dispatch
; CHECK: mesi.test{{[0-9]+}}:
; CHECK: mul i32
; CHECK-NEXT: icmp uge i32 {{.*}}, 542
; CHECK: br i1 {{.*}}, label %mesi.gains, label %entry{{$}}
; CHECK: mesi.gains:
; CHECK: mul i32
; CHECK: mul i32
; CHECK: mul i64
; CHECK: icmp uge i64 {{.*}}, 6488064
; CHECK: br i1 {{.*}}, label %mesi.setup{{[0-9]+}}, label %mesi.entry, !mesi.dispatch
; A loop's length in facts is worked out in 32 bits as well: 2*ntid.x + trip is below 2^32. What the first branch says
; is not said again.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<only=weighted>,verify' -S %S/../plan/slides.ll | %FileCheck %s --check-prefix=ROW
; ROW: define ptx_kernel void @weighted
; ROW: mesi.test{{[0-9]+}}:
; ROW: icmp uge i32 {{.*}}, 16
; ROW: br i1 {{.*}}, label %mesi.gains, label %mesi.entry{{$}}
; ROW: mesi.gains:
; ROW-NOT: icmp uge i32 {{.*}}, 16
; ROW: icmp ule i32
; ROW: br i1 {{.*}}, label %mesi.setup{{[0-9]+}}, label %entry, !mesi.dispatch
