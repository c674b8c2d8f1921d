; Every place a base pointer comes from: an argument, a __restrict__ one, a field of a struct passed
; by value, a __device__ array (through its cast), a __constant__ one. Two loads of one field are one
; array; so are two ways to point into one argument.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-accesses>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: accesses of bases
; CHECK-NEXT: array0: a Argument { index: 0, noalias: false }
; CHECK-NEXT: array1: b Argument { index: 1, noalias: true }
; CHECK-NEXT: array2: m+8 Field { index: 2, offset: 8 }
; CHECK-NEXT: array3: table Global
; CHECK-NEXT: array4: mask Constant
; CHECK-NEXT: access0: Load 4 bytes of array0, align 4 in bb0
; CHECK-NEXT: access1: Load 8 bytes of array1, align 8 in bb0
; CHECK-NEXT: access2: Load 2 bytes of array2, align 2 in bb0
; CHECK-NEXT: access3: Load 2 bytes of array2, align 2 in bb0
; CHECK-NEXT: access4: Load 4 bytes of array3, align 16 in bb0
; CHECK-NEXT: access5: Load 16 bytes of array4, align 16 in bb0
; CHECK-NEXT: access6: Store 4 bytes of array0, align 4 in bb0
target triple = "nvptx64-nvidia-cuda"
%matrix = type { i32, i32, ptr }
@table = internal addrspace(1) global [64 x float] zeroinitializer, align 4
@mask = internal addrspace(4) global [64 x float] zeroinitializer, align 4
define ptx_kernel void @bases(ptr %a, ptr noalias %b, ptr byval(%matrix) align 8 %m, i1 %c) #0 {
entry:
  %v0 = load float, ptr %a, align 4
  %v1 = load double, ptr %b, align 8
  %field = getelementptr inbounds i8, ptr %m, i64 8
  %elements = load ptr, ptr %field, align 8
  %v2 = load i16, ptr %elements, align 2
  %again = load ptr, ptr %field, align 8
  %next = getelementptr inbounds i16, ptr %again, i64 3
  %v3 = load i16, ptr %next, align 2
  %v4 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(1) @table to ptr), i64 16), align 16
  %v5 = load <4 x float>, ptr addrspace(4) @mask, align 16
  %left = getelementptr inbounds i8, ptr %a, i64 4
  %right = getelementptr inbounds i8, ptr %a, i64 8
  %either = select i1 %c, ptr %left, ptr %right
  store float %v0, ptr %either, align 4
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
