; Conditions become bounds of one variable where they are. `i < n` wrapped around the work and its
; negation before an early return read the same; `0 <= i - r < n` in LLVM's one unsigned comparison
; bounds both sides; a condition on arguments alone is uniform; on data it is opaque.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-affine>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: affine of wraps
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: access0: array0 + 4*tid.x
; CHECK-NEXT: under {{.*}}: 1*tid.x <= s0 - 1
; CHECK-LABEL: affine of returns
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: access0: array0 + 4*tid.x
; CHECK-NEXT: under {{.*}}: 1*tid.x <= s0 - 1
; CHECK-LABEL: affine of window
; CHECK-NEXT: s0 = i32 r
; CHECK-NEXT: s1 = i32 n
; CHECK-NEXT: fact0: 0 <= s1 <= 2147483647
; CHECK-NEXT: access0: array0 + 4*tid.x - 4*s0
; CHECK-NEXT: under {{.*}}: 1*tid.x >= s0
; CHECK-NEXT: under {{.*}}: 1*tid.x <= s0 + s1 - 1 if fact0
; CHECK-LABEL: affine of several
; CHECK-NEXT: s0 = i32 n
; CHECK-NEXT: s1 = i32 m
; CHECK-NEXT: access0: array0 + 4*tid.x
; CHECK-NEXT: under {{.*}}: 1*tid.x <= s0 - 1
; CHECK-NEXT: under {{.*}}: 1*tid.y <= s1 - 1
; CHECK-NEXT: under {{.*}}: 1*tid.x >= 1
; CHECK-LABEL: affine of others
; CHECK-NEXT: access0: array0 + 4*tid.x
; CHECK-NEXT: under {{.*}}: uniform v5 is true
; CHECK-NEXT: access1: array0 + 4*tid.x + 4
; CHECK-NEXT: under {{.*}}: uniform v5 is true
; CHECK-NEXT: under {{.*}}: opaque
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @wraps(ptr %x, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %work, label %end
work:
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  br label %end
end:
  ret void
}
define ptx_kernel void @returns(ptr %x, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp sge i32 %t, %n
  br i1 %out, label %end, label %work
end:
  ret void
work:
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  ret void
}
; `if (i - r >= 0 && i - r < n)` arrives as one unsigned comparison.
define ptx_kernel void @window(ptr %x, i32 %n, i32 %r) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sub nsw i32 %t, %r
  %in = icmp ult i32 %i, %n
  br i1 %in, label %work, label %end
work:
  %w = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %w
  %v = load float, ptr %p
  br label %end
end:
  ret void
}
; Two conditions of which one leaves early, as `and` and as `select`, and threadIdx.x != 0.
define ptx_kernel void @several(ptr %x, i32 %n, i32 %m) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %a = icmp slt i32 %t, %n
  %b = icmp slt i32 %u, %m
  %c = icmp ne i32 %t, 0
  %ab = select i1 %a, i1 %b, i1 false
  %abc = and i1 %ab, %c
  br i1 %abc, label %work, label %end
work:
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  br label %end
end:
  ret void
}
define ptx_kernel void @others(ptr %x, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %p = getelementptr inbounds i32, ptr %x, i64 %i
  %uniform = icmp sgt i32 %n, 7
  br i1 %uniform, label %work, label %end
work:
  %v = load i32, ptr %p
  %data = icmp eq i32 %v, 0
  br i1 %data, label %more, label %end
more:
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %w = load i32, ptr %q
  br label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
