; y[i] = sum over k of x[k] * (i + 1), in the naive way and with strips of 64 elements copied by
; cp.async into two tiles: strip s+1 is on its way while s is used, two barriers a strip. The last
; strip is filled up with zeros. Launched with 64 threads a block.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tiles = internal addrspace(3) global [128 x i32] poison, align 16

define ptx_kernel void @naive(ptr %x, ptr %y, i32 %n) {
entry:
  %i = call i32 @id()
  br label %test
test:
  %k = phi i32 [ 0, %entry ], [ %k.next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %end
body:
  %k.wide = zext i32 %k to i64
  %at = getelementptr inbounds i32, ptr %x, i64 %k.wide
  %v = load i32, ptr %at, align 4
  %factor = add i32 %i, 1
  %part = mul i32 %v, %factor
  %sum.next = add i32 %sum, %part
  %k.next = add i32 %k, 1
  br label %test
end:
  %i.wide = zext i32 %i to i64
  %out = getelementptr inbounds i32, ptr %y, i64 %i.wide
  store i32 %sum, ptr %out, align 4
  ret void
}

define ptx_kernel void @staged(ptr %x, ptr %y, i32 %n) {
entry:
  %i = call i32 @id()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %global = addrspacecast ptr %x to ptr addrspace(1)
  %up = add i32 %n, 63
  %strips = udiv i32 %up, 64
  call void @copy(ptr addrspace(1) %global, i32 %tid, i32 0, i32 %n)
  call void @llvm.nvvm.cp.async.commit.group() ; first commit
  br label %test
test:
  %s = phi i32 [ 0, %entry ], [ %next, %done ]
  %sum = phi i32 [ 0, %entry ], [ %sum.in, %done ]
  %more = icmp ult i32 %s, %strips
  br i1 %more, label %strip, label %end
strip:
  %next = add i32 %s, 1
  %ahead = icmp ult i32 %next, %strips
  br i1 %ahead, label %fill, label %filled
fill:
  call void @copy(ptr addrspace(1) %global, i32 %tid, i32 %next, i32 %n)
  br label %filled
filled:
  call void @llvm.nvvm.cp.async.commit.group() ; strip's commit
  call void @llvm.nvvm.cp.async.wait.group(i32 1) ; wait
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; barrier before use
  %half = and i32 %s, 1
  %first = mul i32 %half, 64
  br label %use
use:
  %t = phi i32 [ 0, %filled ], [ %t.next, %use ]
  %sum.use = phi i32 [ %sum, %filled ], [ %sum.in, %use ]
  %cell = add i32 %first, %t
  %cell.wide = zext i32 %cell to i64
  %from = getelementptr inbounds i32, ptr addrspace(3) @tiles, i64 %cell.wide
  %v = load i32, ptr addrspace(3) %from, align 4
  %factor = add i32 %i, 1
  %part = mul i32 %v, %factor
  %sum.in = add i32 %sum.use, %part
  %t.next = add i32 %t, 1
  %again = icmp ult i32 %t.next, 64
  br i1 %again, label %use, label %done
done:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; barrier after use
  br label %test
end:
  call void @llvm.nvvm.cp.async.wait.group(i32 0) ; of no strips at all
  %i.wide = zext i32 %i to i64
  %out = getelementptr inbounds i32, ptr %y, i64 %i.wide
  store i32 %sum, ptr %out, align 4
  ret void
}

; One element per thread, from strip %s to its tile; past the end nothing is read and zero lands.
define internal void @copy(ptr addrspace(1) %x, i32 %tid, i32 %s, i32 %n) alwaysinline {
  %base = mul i32 %s, 64
  %k = add i32 %base, %tid
  %inside = icmp ult i32 %k, %n
  %size = select i1 %inside, i32 4, i32 0
  %k.safe = select i1 %inside, i32 %k, i32 0
  %k.wide = zext i32 %k.safe to i64
  %from = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %k.wide
  %half = and i32 %s, 1
  %first = mul i32 %half, 64
  %cell = add i32 %first, %tid
  %cell.wide = zext i32 %cell to i64
  %to = getelementptr inbounds i32, ptr addrspace(3) @tiles, i64 %cell.wide
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %to, ptr addrspace(1) %from, i32 %size)
  ret void
}

define internal i32 @id() alwaysinline {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  ret i32 %i
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
