; y[i] = sum of all x[k], for n a multiple of 128, in the naive way and with strips of 128 elements
; copied by cp.async in 16 bytes into three tiles: two strips are on their way while one is used,
; one barrier a strip. Launched with 32 threads a block.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tiles = internal addrspace(3) global [384 x float] poison, align 16

define ptx_kernel void @naive(ptr %x, ptr %y, i32 %n) {
entry:
  br label %test
test:
  %k = phi i32 [ 0, %entry ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %end
body:
  %k.wide = zext i32 %k to i64
  %at = getelementptr inbounds float, ptr %x, i64 %k.wide
  %v = load float, ptr %at, align 4
  %sum.next = fadd float %sum, %v
  %k.next = add i32 %k, 1
  br label %test
end:
  call void @result(ptr %y, float %sum)
  ret void
}

define ptx_kernel void @staged(ptr %x, ptr %y, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %global = addrspacecast ptr %x to ptr addrspace(1)
  %strips = udiv i32 %n, 128
  call void @copy(ptr addrspace(1) %global, i32 %tid, i32 0, i32 %strips)
  call void @llvm.nvvm.cp.async.commit.group() ; first commit
  call void @copy(ptr addrspace(1) %global, i32 %tid, i32 1, i32 %strips)
  call void @llvm.nvvm.cp.async.commit.group() ; second commit
  br label %test
test:
  %s = phi i32 [ 0, %entry ], [ %next, %done ]
  %sum = phi float [ 0.0, %entry ], [ %sum.in, %done ]
  %more = icmp ult i32 %s, %strips
  br i1 %more, label %strip, label %end
strip:
  call void @llvm.nvvm.cp.async.wait.group(i32 1) ; wait
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; barrier
  %later = add i32 %s, 2 ; strip copied next
  call void @copy(ptr addrspace(1) %global, i32 %tid, i32 %later, i32 %strips)
  call void @llvm.nvvm.cp.async.commit.group() ; strip's commit
  %turn = urem i32 %s, 3
  %first = mul i32 %turn, 128
  br label %use
use:
  %t = phi i32 [ 0, %strip ], [ %t.next, %use ]
  %sum.use = phi float [ %sum, %strip ], [ %sum.in, %use ]
  %cell = add i32 %first, %t
  %cell.wide = zext i32 %cell to i64
  %from = getelementptr inbounds float, ptr addrspace(3) @tiles, i64 %cell.wide
  %v = load float, ptr addrspace(3) %from, align 4
  %sum.in = fadd float %sum.use, %v
  %t.next = add i32 %t, 1
  %again = icmp ult i32 %t.next, 128
  br i1 %again, label %use, label %done
done:
  %next = add i32 %s, 1
  br label %test
end:
  call void @result(ptr %y, float %sum)
  ret void
}

; Four elements per thread, from strip %s to its tile, if there is such a strip.
define internal void @copy(ptr addrspace(1) %x, i32 %tid, i32 %s, i32 %strips) alwaysinline {
entry:
  %inside = icmp ult i32 %s, %strips
  br i1 %inside, label %there, label %done
there:
  %base = mul i32 %s, 128
  %four = mul i32 %tid, 4
  %k = add i32 %base, %four
  %k.wide = zext i32 %k to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %x, i64 %k.wide
  %turn = urem i32 %s, 3 ; tile written
  %first = mul i32 %turn, 128
  %cell = add i32 %first, %four
  %cell.wide = zext i32 %cell to i64
  %to = getelementptr inbounds float, ptr addrspace(3) @tiles, i64 %cell.wide
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %to, ptr addrspace(1) %from)
  br label %done
done:
  ret void
}

define internal void @result(ptr %y, float %sum) alwaysinline {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %i.wide = zext i32 %i to i64
  %out = getelementptr inbounds float, ptr %y, i64 %i.wide
  store float %sum, ptr %out, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
