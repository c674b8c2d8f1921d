; A wrapping `if` and an early return lift to the same shape: the work is one side of an if, and the
; other side is only its edge.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-tree>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: tree of wraps
; CHECK-NEXT: seq
; CHECK-NEXT: block bb0
; CHECK-NEXT: if bb0
; CHECK-NEXT: seq
; CHECK-NEXT: edge bb0 -> bb1
; CHECK-NEXT: block bb1
; CHECK-NEXT: edge bb1 -> bb2
; CHECK-NEXT: seq
; CHECK-NEXT: edge bb0 -> bb2
; CHECK-NEXT: block bb2
; CHECK-NEXT: return bb2
; CHECK-LABEL: tree of returns
; CHECK-NEXT: seq
; CHECK-NEXT: block bb0
; CHECK-NEXT: if bb0
; CHECK-NEXT: seq
; CHECK-NEXT: edge bb0 -> bb1
; CHECK-NEXT: block bb1
; CHECK-NEXT: return bb1
; CHECK-NEXT: seq
; CHECK-NEXT: edge bb0 -> bb2
; CHECK-NEXT: block bb2
; CHECK-NEXT: return bb2
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @wraps(ptr %p, i1 %in) #0 {
  br i1 %in, label %work, label %end
work:
  store float 1.0, ptr %p
  br label %end
end:
  ret void
}
define ptx_kernel void @returns(ptr %p, i1 %out) #0 {
  br i1 %out, label %end, label %work
end:
  ret void
work:
  store float 1.0, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
