; Arrays that are only written by an index that no warp writes in one piece: a transpose, and a row per
; thread. The tile is a store tile: nothing is copied in, so no test keeps loads that come before the
; stores apart from them; what may follow a store in the next iteration must be apart. Where something
; behind the region may touch the array, a barrier stands behind the write-back.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=off>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of transpose
; CHECK-NEXT: region0: {{.*}}whole{{$}}
; CHECK-NEXT: tile0: array1 out, unit 4, run-time size at byte 0
; CHECK-NEXT: rest 0
; CHECK-NEXT: dim stride 4*s0: tid.x, offsets 0..0, extent ntid.x, pitch extent inside + 1
; CHECK-NEXT: dim stride 4: tid.y, offsets 0..0, extent ntid.y, pitch 1
; CHECK-NEXT: writes back offsets {{\[\[}}0, 0]], tid.x <= s1 - 1
; CHECK-NEXT: serves access1 store [0, 0]
; CHECK-NOT: apart
; CHECK: fact: 0 <= -4*ntid.y + 4*s0 <= 1099511627776
; CHECK-NOT: apart
; CHECK: array0 in not staged: NotAffine
; CHECK-LABEL: plan of rows
; CHECK: region1: {{.*}}loop0 in strips of 32, depth 1{{$}}
; CHECK-NEXT: tile1: array1 y, unit 4, 9216 cells at byte 16
; CHECK: dim stride 4*s1: tid.x, offsets 0..0, extent ntid.x, pitch 36
; CHECK-NEXT: dim stride 4: iter(loop0), offsets 0..0, extent 32, pitch 1
; CHECK-NEXT: writes back offsets {{\[\[}}0, 0]]
; CHECK-NEXT: serves access1 store [0, 0]
; CHECK: fact: array0 + 28 for 4 bytes apart from array1
; CHECK-LABEL: plan of read_again
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 32, depth 1, then a barrier
; CHECK-NEXT: tile0: array0 y
; CHECK: writes back
; CHECK-LABEL: plan of backwards
; CHECK-NEXT: region0: {{.*}}loop0 in strips of 32, depth 1{{$}}
; CHECK-NEXT: tile0: array0 y
; CHECK: dim stride 4: -1*iter(loop0)
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @transpose(ptr %in, ptr %out, i32 %h, i32 %w) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %ok = icmp slt i32 %x, %w
  br i1 %ok, label %work, label %end
work:
  %any = mul i32 %y, %y
  %a = zext i32 %any to i64
  %p = getelementptr inbounds float, ptr %in, i64 %a
  %v = load float, ptr %p
  %row = mul nsw i32 %x, %h
  %i = add nsw i32 %row, %y
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %out, i64 %i64
  store float %v, ptr %q
  br label %end
end:
  ret void
}
; y[tid*pitch + k] = x[7], and the next iteration reads x[7] again.
define ptx_kernel void @rows(ptr %y, ptr %x, i32 %n, i32 %pitch) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %pitch
  %p = getelementptr inbounds float, ptr %x, i64 7
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load float, ptr %p
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float %v, ptr %q
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
; Behind the loop a thread reads an element of its row, which another thread wrote back.
define ptx_kernel void @read_again(ptr noalias %y, ptr noalias %z, i32 %n, i32 %pitch, i32 %any) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %pitch
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float 1.0, ptr %q
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %odd = mul i32 %t, %t
  %o = zext i32 %odd to i64
  %p = getelementptr inbounds float, ptr %y, i64 %o
  %v = load float, ptr %p
  %t64 = zext nneg i32 %t to i64
  %r = getelementptr inbounds float, ptr %z, i64 %t64
  store float %v, ptr %r
  ret void
}
define ptx_kernel void @backwards(ptr noalias %y, i32 %n, i32 %pitch) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul nsw i32 %t, %pitch
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = sub nsw i32 %row, %k
  %i64 = sext i32 %i to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i64
  store float 1.0, ptr %q
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
